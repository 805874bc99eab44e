export interface DoubtingClockOptions {
  readonly wall: () => number;
  /** A monotonic clock in milliseconds that includes the sleep of the machine and ignores changes of the wall clock. */
  readonly elapsed: () => number;
  /** The newest time on record from before; undefined for a new hub. */
  readonly lastKnownMs: number | undefined;
  /** A person has checked that the wall clock is right. */
  readonly isTrusted?: boolean;
}

/**
 * A wall clock with an implausible time.
 *
 * - `ahead`: it runs ahead of the time that has passed, and is not believed.
 * - `far`: the hub has started long after everything on record. It is believed: the hub may have been stopped for that long.
 * - `behind`: it is behind what is on record. It is believed, and the log holds its times until it has caught up.
 */
export interface ClockDoubt {
  readonly is: 'ahead' | 'far' | 'behind';
  readonly wallMs: number;
  /** The time that is used. */
  readonly keptMs: number;
  /** The newest time on record that it contradicts. */
  readonly knownMs: number;
}

const DAY_MS = 24 * 3600_000;
/** Beyond this, a wrong clock is more likely than a hub that was stopped for so long. */
const LONGEST_STOP_MS = 366 * DAY_MS;
/** A hub that was off over a holiday causes no doubt. */
const USUAL_STOP_MS = 31 * DAY_MS;

/**
 * The time for changes. Times in a log never go back, so one stamp from a clock that jumped years ahead would stay on all later changes.
 *
 * A wall clock that runs more than a day ahead of the time that has passed is not believed: this clock continues by the time that has passed, until the wall
 * clock is set right. At the start a year is allowed, because a hub may have been stopped; after more than a month there is a doubt for a day. A clock that
 * goes back is believed: the log holds its times. More than a day behind is a doubt.
 */
export class DoubtingClock {
  readonly #wall: () => number;
  readonly #elapsed: () => number;
  /** A time that was believed, and when that was. */
  #knownMs: number;
  #knownAt: number;
  /** The newest time that was believed, or is on record. */
  #newestMs: number;
  /** If the hub started long after everything on record: the newest record, and the time of the start. */
  readonly #absence: { readonly knownMs: number; readonly at: number } | undefined;

  constructor({ wall, elapsed, lastKnownMs, isTrusted = false }: DoubtingClockOptions) {
    this.#wall = wall;
    this.#elapsed = elapsed;
    this.#knownAt = elapsed();
    this.#knownMs = isTrusted || lastKnownMs === undefined ? wall() : lastKnownMs;
    this.#newestMs = this.#knownMs;
    const isFar = wall() > this.#knownMs + USUAL_STOP_MS;
    this.#absence = isFar ? { knownMs: this.#knownMs, at: this.#knownAt } : undefined;
    if (wall() <= this.#knownMs + LONGEST_STOP_MS) this.#knownMs = wall();
  }

  now(): number {
    return this.#look().keptMs;
  }

  /** Undefined while the wall clock is plausible. */
  get doubt(): ClockDoubt | undefined {
    const { at, ...look } = this.#look();
    const knownMs = this.#newestMs;
    if (look.keptMs !== look.wallMs) return { is: 'ahead', ...look, knownMs };
    if (look.wallMs < knownMs - DAY_MS) return { is: 'behind', ...look, knownMs };
    const absence = this.#absence;
    return absence && at - absence.at <= DAY_MS ? { is: 'far', ...look, knownMs: absence.knownMs } : undefined;
  }

  #look(): { readonly wallMs: number; readonly keptMs: number; readonly at: number } {
    const [wallMs, at] = [this.#wall(), this.#elapsed()];
    const expectedMs = this.#knownMs + (at - this.#knownAt);
    if (wallMs > expectedMs + DAY_MS) return { wallMs, keptMs: Math.trunc(expectedMs), at };
    this.#knownMs = wallMs;
    this.#knownAt = at;
    this.#newestMs = Math.max(this.#newestMs, wallMs);
    return { wallMs, keptMs: wallMs, at };
  }
}
