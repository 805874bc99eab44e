export interface DoubtingClockOptions {
  readonly wall: () => number;
  /** Milliseconds since some moment, the sleep of the machine included, whatever the wall clock is set to. */
  readonly elapsed: () => number;
  /** The newest moment that is on record from before; undefined for a new hub. */
  readonly lastKnownMs: number | undefined;
  /** Somebody looked, and the wall clock is right. */
  readonly isTrusted?: boolean;
}

/** A wall clock that says what cannot be. */
export interface ClockDoubt {
  readonly wallMs: number;
  /** What is taken for the time in its place. */
  readonly keptMs: number;
}

const DAY_MS = 24 * 3600_000;
/** A hub that was stopped for longer is less likely than a clock that is wrong. */
const LONGEST_STOP_MS = 366 * DAY_MS;

/**
 * The time for changes. Times in a log never go back, so one stamp of a clock that jumped years ahead would stay on all that
 * follow.
 *
 * A wall clock that runs more than a day ahead of the time that has passed is not believed: this one goes on by what has passed,
 * until the wall clock is set right. At the start a year is granted, for a hub may have been stopped. A clock that goes back is believed:
 * the log holds its times.
 */
export class DoubtingClock {
  readonly #wall: () => number;
  readonly #elapsed: () => number;
  /** A moment that was believed, and when that was. */
  #knownMs: number;
  #knownAt: number;

  constructor({ wall, elapsed, lastKnownMs, isTrusted = false }: DoubtingClockOptions) {
    this.#wall = wall;
    this.#elapsed = elapsed;
    this.#knownAt = elapsed();
    this.#knownMs = isTrusted || lastKnownMs === undefined ? wall() : lastKnownMs;
    if (wall() <= this.#knownMs + LONGEST_STOP_MS) this.#knownMs = wall();
  }

  now(): number {
    return this.#look().keptMs;
  }

  /** Undefined while the wall clock is believed. */
  get doubt(): ClockDoubt | undefined {
    const look = this.#look();
    return look.keptMs === look.wallMs ? undefined : look;
  }

  #look(): ClockDoubt {
    const [wallMs, at] = [this.#wall(), this.#elapsed()];
    const expectedMs = this.#knownMs + (at - this.#knownAt);
    if (wallMs > expectedMs + DAY_MS) return { wallMs, keptMs: Math.trunc(expectedMs) };
    this.#knownMs = wallMs;
    this.#knownAt = at;
    return { wallMs, keptMs: wallMs };
  }
}
