/** Smaller differences come from the round trip. */
const SAME_MS = 250;

/**
 * How the clock of the database goes beside ours. Moments are kept there by its clock, so that one process whose clock is wrong keeps nobody waiting and
 * overtakes nobody. The difference stays as it is until it is found to be another one: a moment comes back as it was given.
 */
export class ServerClock {
  readonly #now: () => number;
  #aheadMs: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** By how much the database is ahead. */
  get aheadMs(): number {
    return this.#aheadMs ?? 0;
  }

  /** Takes the answer of the database to what its time is. */
  async compare(ask: () => Promise<number>): Promise<void> {
    const askedMs = this.#now();
    const theirsMs = await ask();
    const aheadMs = Math.round(theirsMs - (askedMs + this.#now()) / 2);
    if (this.#aheadMs === undefined || Math.abs(aheadMs - this.#aheadMs) > SAME_MS) this.#aheadMs = aheadMs;
  }

  /** A moment of ours by the clock of the database. */
  toTheirs(ms: number): number {
    return ms + this.aheadMs;
  }

  /** How long it is until a moment of ours. */
  untilMs(ms: number): number {
    return ms - this.#now();
  }

  toOurs(ms: number): number {
    return ms - this.aheadMs;
  }
}
