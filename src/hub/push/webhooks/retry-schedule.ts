/** When a failed delivery is retried. */

export interface RetryRules {
  /** The wait after the first attempt. */
  readonly firstMs: number;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

/** 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 6 h, 23 h, 24 h, 24 h: about three days (SW-D4). */
const MOST_ATTEMPTS = 11;
export const FIRST_RETRY_MS = 5000;
const GROWTH = 4;
const LONGEST_MS = 86_400_000;
/** Deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** The wait after so many failed attempts; undefined if there are no more. */
export function retryDelayMs(attempts: number, { firstMs, random }: RetryRules): number | undefined {
  if (attempts >= MOST_ATTEMPTS) return undefined;
  const delayMs = Math.min(firstMs * GROWTH ** (attempts - 1), LONGEST_MS);
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));
}

/** The same if the endpoint asked for a pause: never sooner than it asks, up to a day. */
export function politeDelayMs(delayMs: number, retryAfterMs: number | undefined): number {
  return Math.max(delayMs, Math.min(retryAfterMs ?? 0, LONGEST_MS));
}

/** The longest possible wait. A later due time shows that a clock was set. */
export const LONGEST_WAIT_MS = LONGEST_MS * (1 + JITTER);
