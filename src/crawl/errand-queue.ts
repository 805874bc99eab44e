/** A URL to request. */
export interface Errand {
  readonly address: string;
  readonly clicks?: number;
  /** The page that names this URL as its canonical one: it counts as itself if there is no page here. */
  readonly canonicalOf?: string;
  readonly ignoreCanonical?: boolean;
}

/** Errands in the order in which they are done. */
export class ErrandQueue {
  #errands: Errand[] = [];
  #head = 0;
  #pickedAt = 0;

  get size(): number {
    return this.#errands.length - this.#head;
  }

  add(errand: Errand): void {
    this.#errands.push(errand);
  }

  addFirst(errand: Errand): void {
    this.#errands.splice(this.#head, 0, errand);
  }

  takeFirst(): Errand | undefined {
    if (this.size === 0) return undefined;
    const errand = this.#errands[this.#head];
    this.#head += 1;
    return errand;
  }

  /** Takes one out of order: 0 is the first of those that wait, 1 the last. */
  pick(place: number): Errand | undefined {
    if (this.size === 0) return undefined;
    this.#pickedAt = Math.round((this.size - 1) * place);
    return this.#errands.splice(this.#head + this.#pickedAt, 1)[0];
  }

  /** Continues around the one that was picked last: with its nearest neighbours, alternating between both sides. */
  goOnAroundPicked(): void {
    const waiting = this.takeAll();
    const behind = waiting.slice(this.#pickedAt);
    const before = waiting.slice(0, this.#pickedAt).reverse();
    const distances = Array.from({ length: Math.max(behind.length, before.length) }, (_, distance) => distance);
    this.#errands = distances.flatMap((at) => [...behind.slice(at, at + 1), ...before.slice(at, at + 1)]);
  }

  drop(isDone: (errand: Errand) => boolean): void {
    this.#errands = this.takeAll().filter((errand) => !isDone(errand));
  }

  takeAll(): readonly Errand[] {
    const waiting = this.#errands.slice(this.#head);
    this.#errands = [];
    this.#head = 0;
    return waiting;
  }
}
