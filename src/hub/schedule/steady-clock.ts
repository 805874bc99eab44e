/**
 * A clock that never goes back.
 *
 * When the wall clock is set back, this one continues from where it was: what is due in a minute stays due in a minute. When the wall clock jumps ahead, as
 * after the sleep of a laptop, so does this one.
 */
export class SteadyClock {
  readonly #wall: () => number;
  #lastMs = Number.NEGATIVE_INFINITY;
  #aheadMs = 0;

  constructor(wall: () => number) {
    this.#wall = wall;
  }

  now(): number {
    return this.atLeast(this.#lastMs);
  }

  /** A timer that fired proves that this time has come. */
  atLeast(moment: number): number {
    const wall = this.#wall();
    const known = Math.max(moment, this.#lastMs);
    if (wall + this.#aheadMs < known) this.#aheadMs = known - wall;
    this.#lastMs = wall + this.#aheadMs;
    return this.#lastMs;
  }
}
