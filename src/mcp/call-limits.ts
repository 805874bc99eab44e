import { ToolRefusal } from '../errors/tool-refusal.ts';

export interface CallLimitsOptions {
  /** Monotonic milliseconds. */
  now(): number;
}

/** Concurrent calls of all callers together. */
const MOST_CALLS = 512;
/** Of these, the calls that may ask other sites. */
const MOST_LIVE_CALLS = 8;
const LIVE_CALLS_A_MINUTE = 240;
const MINUTE_MS = 60_000;

/** Limits calls to what a server, and the sites that it asks, can bear. A refused caller is told when to try again. */
export class CallLimits {
  readonly #now: () => number;
  #running = 0;
  #live = 0;
  /** When the live calls of the last minute began. */
  #begun: number[] = [];

  constructor({ now }: CallLimitsOptions) {
    this.#now = now;
  }

  async run<T>(isLive: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#running >= MOST_CALLS) throw busy(`${MOST_CALLS} calls run at this moment, and no more may`, 1);
    if (isLive) this.#takeLive();
    this.#running++;
    if (isLive) this.#live++;
    try {
      return await work();
    } finally {
      this.#running--;
      if (isLive) this.#live--;
    }
  }

  #takeLive(): void {
    if (this.#live >= MOST_LIVE_CALLS) throw busy(`${MOST_LIVE_CALLS} calls are asking sites, and no more may`, 2);
    const now = this.#now();
    this.#begun = this.#begun.filter((at) => at > now - MINUTE_MS);
    const [oldest = now] = this.#begun;
    if (this.#begun.length >= LIVE_CALLS_A_MINUTE) {
      throw busy(
        `${LIVE_CALLS_A_MINUTE} such calls were made in a minute`,
        Math.ceil((oldest + MINUTE_MS - now) / 1000),
      );
    }
    this.#begun.push(now);
  }
}

function busy(why: string, seconds: number): ToolRefusal {
  return new ToolRefusal(`The server is busy: ${why}. Try again in ${Math.max(1, seconds)} s.`, 'retry-later');
}
