import { LogUnavailableError } from '../../errors/log-error.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { LimitExchange, LimitReport } from './limit-exchange.ts';
import {
  type Allowance,
  type CountedLimiter,
  countingLimiter,
  type RateLimiter,
  type RateLimiterOptions,
} from './rate-limiter.ts';

export interface SharedLimitsParts {
  readonly exchange: LimitExchange;
  readonly alarm: Alarm;
  /** Called with a fault of ours. */
  readonly onBug: (error: unknown) => void;
}

/** Anything not reported at once is reported after this time. */
const TELL_EVERY_MS = 1000;
/** How many are reported in one step. */
const REPORTS_AT_ONCE = 2000;
/** A process lets through a twentieth of a limit before it reports to the others. */
const BATCH_OF_LIMIT = 1 / 20;

/** How many requests of a client one process lets through before it asks for the count elsewhere. */
export function batchOf(limit: number): number {
  return Math.max(1, Math.floor(limit * BATCH_OF_LIMIT));
}

interface Untold {
  readonly limiter: CountedLimiter;
  readonly limit: string;
  readonly client: string;
  count: number;
}

/**
 * Limits over all processes of a hub. Each counts for itself and answers at once; what it let through is added up elsewhere in batches, and it learns
 * what the others let through. A client gets at most `limit + processes × (batch + what it asks of one process during an exchange)` in a window.
 *
 * While nobody adds up, each process counts for itself.
 */
export class SharedLimits implements AsyncDisposable {
  readonly #parts: SharedLimitsParts;
  readonly #untold = new Map<string, Untold>();
  #telling: Promise<void> | undefined;
  #isUrgent = false;
  /** Nobody adds up: it is tried again by the clock alone. */
  #isAway = false;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: SharedLimitsParts) {
    this.#parts = parts;
  }

  /** Another name for each limit, the same in every process. */
  limiter(limit: string, options: RateLimiterOptions): RateLimiter {
    const limiter = countingLimiter(options);
    return {
      take: (client, most) => {
        const allowance = limiter.take(client, most);
        if (!allowance.isAllowed) return allowance;
        // The rest of an ended window no longer counts.
        if (allowance.remaining === most - 1) this.#untold.delete(nameOf(limit, client));
        this.#note({ limiter, limit, client }, 1, batchOf(most));
        return allowance;
      },
      look: (client, most): Allowance => limiter.look(client, most),
      move: (from, to) => {
        limiter.move(from, to);
        this.#untold.delete(nameOf(limit, from));
        const { count } = limiter.countOf(to);
        if (count > 0) this.#note({ limiter, limit, client: to }, count, 1);
      },
    };
  }

  /** Resolves when no report is running. */
  async settled(): Promise<void> {
    while (this.#telling !== undefined) await this.#telling;
  }

  /** Reports the rest. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.settled();
    if (this.#untold.size > 0) await this.#tell();
  }

  #note(which: Omit<Untold, 'count'>, count: number, batch: number): void {
    const name = nameOf(which.limit, which.client);
    const untold = this.#untold.get(name) ?? { ...which, count: 0 };
    untold.count += count;
    this.#untold.set(name, untold);
    if (untold.count >= batch && !this.#isAway) this.#tellNow();
    else this.#arm();
  }

  #tellNow(): void {
    if (this.#isClosed) return;
    this.#isUrgent = true;
    this.#telling ??= this.#tellUntilCalm();
  }

  async #tellUntilCalm(): Promise<void> {
    try {
      while (this.#isUrgent) {
        this.#isUrgent = false;
        await this.#tell();
      }
    } catch (error) {
      this.#parts.onBug(error);
    } finally {
      this.#telling = undefined;
      if (this.#untold.size > 0) this.#arm();
    }
  }

  /** Failed reports are kept for the next time, as long as their window lasts. */
  async #tell(): Promise<void> {
    const told = [...this.#untold.values()].slice(0, REPORTS_AT_ONCE);
    for (const { limit, client } of told) this.#untold.delete(nameOf(limit, client));
    const open = told.flatMap((one) => {
      const { count, leftMs } = one.limiter.countOf(one.client);
      return count > 0 ? [{ one, leftMs }] : [];
    });
    if (open.length === 0) return;
    try {
      const reports = open.map(({ one: { limit, client, count }, leftMs }): LimitReport => {
        return { limit, client, count, leftMs };
      });
      const counts = await this.#parts.exchange.report(reports);
      this.#isAway = false;
      for (const [at, { one }] of open.entries()) {
        const shared = counts[at];
        const since = this.#untold.get(nameOf(one.limit, one.client))?.count ?? 0;
        if (shared !== undefined) one.limiter.learn(one.client, { ...shared, total: shared.total + since });
      }
    } catch (error) {
      for (const { one } of open) this.#keep(one);
      this.#isAway = true;
      this.#isUrgent = false;
      if (!(error instanceof LogUnavailableError)) throw error;
      return;
    }
    if (this.#untold.size > REPORTS_AT_ONCE) this.#isUrgent = true;
  }

  #keep(untold: Untold): void {
    const name = nameOf(untold.limit, untold.client);
    const since = this.#untold.get(name);
    this.#untold.set(name, { ...untold, count: untold.count + (since?.count ?? 0) });
  }

  #arm(): void {
    if (this.#isClosed || this.#cancel !== undefined) return;
    this.#cancel = this.#parts.alarm(TELL_EVERY_MS, () => {
      this.#cancel = undefined;
      this.#tellNow();
    });
  }
}

function nameOf(limit: string, client: string): string {
  return `${limit} ${client}`;
}
