/** The shortest time between two writes of change entries, because each is a write to the disk. */
export const TURN_EVERY_MS = 200;
/** The shortest time between two signed checkpoints. */
const SIGN_EVERY_MS = 1000;
/** The shortest time between two rounds of checks without news and documents of other shelves. */
const ROUND_EVERY_MS = 5000;

/** When a turn, a checkpoint and a round may come next. */
export class TlogRhythm {
  readonly #now: () => number;
  #turnAtMs = Number.NEGATIVE_INFINITY;
  #signedAtMs = Number.NEGATIVE_INFINITY;
  #roundAtMs = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** 0 means now. */
  get untilTurnMs(): number {
    return this.#leftMs(this.#turnAtMs, TURN_EVERY_MS);
  }

  get untilSignMs(): number {
    return this.#leftMs(this.#signedAtMs, SIGN_EVERY_MS);
  }

  get untilRoundMs(): number {
    return this.#leftMs(this.#roundAtMs, ROUND_EVERY_MS);
  }

  noteTurn(): void {
    this.#turnAtMs = this.#now();
  }

  noteCheckpoint(): void {
    this.#signedAtMs = this.#now();
  }

  noteRound(): void {
    this.#roundAtMs = this.#now();
  }

  /** How long until that much time has passed. If the clock was set back, nobody waits. */
  #leftMs(sinceMs: number, everyMs: number): number {
    const passedMs = this.#now() - sinceMs;
    return passedMs < 0 ? 0 : Math.max(0, everyMs - passedMs);
  }
}
