import type { HttpHeaders } from './http-client.ts';
import { httpDateMs, retryAfterMs } from './response-headers.ts';

/** Waits out the short pauses that a service asks for, so that one poll can read more than its rate limit allows at once. */
export interface Pauses {
  /** Before each request: waits if the last response of this origin said that the limit is used up. */
  beforeAsking(origin: string): Promise<void>;
  /** Records what a response of this origin says about its limit. */
  note(origin: string, headers: HttpHeaders): void;
  /** False if the pause is too long, or there were too many: the caller gives up. */
  canWaitOut(pauseMs: number): boolean;
  waitOut(pauseMs: number): Promise<void>;
}

export interface PausesOptions {
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  /** Called with each pause before it begins, and with 0 when it is over. */
  readonly onPause: (pauseMs: number) => void;
}

/** One window of the DiffDelta limits (§10), plus a margin for clock differences. */
const LONGEST_PAUSE_MS = 65_000;
const MOST_PAUSES = 10;
/** Timers may fire early, and the end of a window still belongs to it. */
const SLACK_MS = 100;
const SHORTEST_PAUSE_MS = 2000;
/** A smaller number is not a time of this century: it is a number of seconds from now. */
const FIRST_EPOCH_SECOND = 1_000_000_000;

/** For one poll. Throws the reason of the signal if it ends a pause. */
export function createPauses({ now, wait, signal, onPause }: PausesOptions): Pauses {
  const usedUpUntil = new Map<string, number>();
  let left = MOST_PAUSES;

  function canWaitOut(pauseMs: number): boolean {
    return pauseMs <= LONGEST_PAUSE_MS && left > 0;
  }

  async function waitOut(pauseMs: number): Promise<void> {
    left -= 1;
    onPause(pauseMs);
    await wait(pauseMs + SLACK_MS, signal);
    signal.throwIfAborted();
    onPause(0);
  }

  return {
    async beforeAsking(origin) {
      const pauseMs = (usedUpUntil.get(origin) ?? 0) - now();
      usedUpUntil.delete(origin);
      if (pauseMs > 0 && canWaitOut(pauseMs)) await waitOut(pauseMs);
    },
    note(origin, headers) {
      const isUsedUp = headers['x-ratelimit-remaining']?.trim() === '0';
      const pauseMs = isUsedUp ? resetMs(headers, now()) : undefined;
      if (pauseMs !== undefined) usedUpUntil.set(origin, now() + pauseMs);
    },
    canWaitOut,
    waitOut,
  };
}

/** How long a 429 asks to wait; Infinity if it does not say. */
export function pauseOf(headers: HttpHeaders, nowMs: number): number {
  const pauseMs = retryAfterMs(headers, nowMs) ?? resetMs(headers, nowMs) ?? Number.POSITIVE_INFINITY;
  return Math.max(pauseMs, SHORTEST_PAUSE_MS);
}

/** The time until `X-RateLimit-Reset` (DD-U6), by the server's own clock if it sends one; also works for a cached response. */
function resetMs(headers: HttpHeaders, nowMs: number): number | undefined {
  const value = headers['x-ratelimit-reset']?.trim() ?? '';
  if (!/^\d{1,12}$/.test(value)) return undefined;
  const seconds = Number(value);
  if (seconds < FIRST_EPOCH_SECOND) return seconds * 1000;
  const answeredAt = httpDateMs(headers.date);
  const ageMs = /^\d{1,9}$/.test(headers.age ?? '') ? Number(headers.age) * 1000 : 0;
  return seconds * 1000 - (answeredAt === undefined ? nowMs : answeredAt + ageMs);
}
