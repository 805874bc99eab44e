import { SteadyClock } from '../schedule/steady-clock.ts';

/** The allowance of a client in its window. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly limit: number;
  /** How many more are allowed, after this one. */
  readonly remaining: number;
  /** Until the window ends; more than 0. */
  readonly leftMs: number;
  /** When that is, by the clock of the wall: epoch seconds, rounded up. */
  readonly resetSeconds: number;
}

/**
 * Counts requests in fixed windows, each of which begins with the first request of a client.
 *
 * Exact: what `take` allows in one window is never more than the limit, however many ask at once, since it counts before it returns.
 * A clock that is set back ends no window and prolongs none.
 */
export interface RateLimiter {
  /** Counts a request. One that is not allowed counts nothing, so that asking in vain does not prolong the wait. */
  take(client: string, limit: number): Allowance;
  /** The allowance of a client, without counting. */
  look(client: string, limit: number): Allowance;
  /** Transfers the count of one name to another. */
  move(from: string, to: string): void;
}

export interface RateLimiterOptions {
  now(): number;
  readonly windowMs?: number;
  /** How many clients are remembered; then the oldest window is forgotten. */
  readonly most?: number;
  /** Called when a window has to be forgotten before its end, at most once in the length of a window. */
  onCrowded?(): void;
}

/** Opens one for each limit of a hub, by its name. In a hub of several processes those of one name count together. */
export type MakeLimiter = (name: string, options: RateLimiterOptions) => RateLimiter;

/** For a hub of one process. */
export const makeOwnLimiter: MakeLimiter = (_name, options) => createRateLimiter(options);

/** A limiter that can be given the counts of others. */
export interface CountedLimiter extends RateLimiter {
  /** The count in the current window of a client; 0 if none is open. */
  countOf(client: string): { readonly count: number; readonly leftMs: number };
  /** The count of all, and until when it counts. It never falls within a window. */
  learn(client: string, shared: { readonly total: number; readonly leftMs: number }): void;
}

interface Window {
  client: string;
  count: number;
  endsMs: number;
}

const MINUTE_MS = 60_000;
const MOST_CLIENTS = 100_000;

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  return new WindowLimiter(options);
}

export function countingLimiter(options: RateLimiterOptions): CountedLimiter {
  return new WindowLimiter(options);
}

class WindowLimiter implements CountedLimiter {
  readonly #options: Required<Pick<RateLimiterOptions, 'windowMs' | 'most'>> & RateLimiterOptions;
  readonly #clock: SteadyClock;
  readonly #windows = new Map<string, Window>();
  /** In the order of their start, which is also that of their end. Finding the first entry of a map is slow. */
  readonly #begun = new Queue<Window>();
  #quietUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimiterOptions) {
    this.#options = { windowMs: MINUTE_MS, most: MOST_CLIENTS, ...options };
    this.#clock = new SteadyClock(() => options.now());
  }

  take(client: string, limit: number): Allowance {
    const { windowMs } = this.#options;
    const nowMs = this.#clock.now();
    const window = this.#windows.get(client);
    if (window !== undefined && window.endsMs > nowMs) {
      if (window.count >= limit) return this.#allowance(limit + 1, limit, window.endsMs - nowMs);
      window.count++;
      return this.#allowance(window.count, limit, window.endsMs - nowMs);
    }
    this.#windows.delete(client);
    this.#makeRoom(nowMs);
    const next = { client, count: 1, endsMs: nowMs + windowMs };
    this.#windows.set(client, next);
    this.#begun.push(next);
    return this.#allowance(1, limit, windowMs);
  }

  look(client: string, limit: number): Allowance {
    const nowMs = this.#clock.now();
    const window = this.#windows.get(client);
    if (window === undefined || window.endsMs <= nowMs) return this.#allowance(0, limit, this.#options.windowMs);
    return this.#allowance(window.count, limit, window.endsMs - nowMs);
  }

  move(from: string, to: string): void {
    const window = this.#windows.get(from);
    if (window === undefined) return;
    this.#windows.delete(from);
    window.client = to;
    this.#windows.set(to, window);
  }

  countOf(client: string): { readonly count: number; readonly leftMs: number } {
    const window = this.#windows.get(client);
    const leftMs = (window?.endsMs ?? 0) - this.#clock.now();
    return window === undefined || leftMs <= 0 ? { count: 0, leftMs: 0 } : { count: window.count, leftMs };
  }

  learn(client: string, { total, leftMs }: { readonly total: number; readonly leftMs: number }): void {
    const window = this.#windows.get(client);
    if (window === undefined) return;
    const nowMs = this.#clock.now();
    if (window.endsMs <= nowMs) return;
    window.count = Math.max(window.count, total);
    window.endsMs = nowMs + Math.min(leftMs, this.#options.windowMs);
  }

  #allowance(count: number, limit: number, leftMs: number): Allowance {
    return {
      isAllowed: count <= limit,
      limit,
      remaining: Math.max(0, limit - count),
      leftMs,
      resetSeconds: Math.ceil((this.#options.now() + leftMs) / 1000),
    };
  }

  /** Drops two ended windows for each new one: the size follows the clients of one window. */
  #makeRoom(nowMs: number): void {
    for (let freed = 0; ; freed++) {
      const oldest = this.#begun.first();
      if (oldest === undefined) return;
      const isOver = oldest.endsMs <= nowMs;
      if (this.#windows.size < this.#options.most && (!isOver || freed >= 2)) return;
      this.#begun.shift();
      if (this.#windows.get(oldest.client) !== oldest) continue;
      this.#windows.delete(oldest.client);
      if (!isOver) this.#sayCrowded(nowMs);
    }
  }

  #sayCrowded(nowMs: number): void {
    if (nowMs < this.#quietUntilMs) return;
    this.#quietUntilMs = nowMs + this.#options.windowMs;
    this.#options.onCrowded?.();
  }
}

const QUEUE_SLACK = 1024;

/** First in, first out; what was taken out is dropped many at a time. */
class Queue<T> {
  #items: T[] = [];
  #taken = 0;

  first(): T | undefined {
    return this.#items[this.#taken];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): void {
    this.#taken++;
    if (this.#taken < QUEUE_SLACK || this.#taken * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#taken);
    this.#taken = 0;
  }
}
