/** Counts the open streams, in all and per client. */
export class StreamSlots {
  readonly #most: number;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get open(): number {
    return this.#all;
  }

  /** False if the limit is reached, in all or for this client (0: no limit for it). */
  take(client: string, mostOfClient: number): boolean {
    const open = this.#open.get(client) ?? 0;
    if (this.#all >= this.#most || (mostOfClient > 0 && open >= mostOfClient)) return false;
    this.#open.set(client, open + 1);
    this.#all += 1;
    return true;
  }

  release(client: string): void {
    const left = (this.#open.get(client) ?? 1) - 1;
    if (left === 0) this.#open.delete(client);
    else this.#open.set(client, left);
    this.#all -= 1;
  }
}
