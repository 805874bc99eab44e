const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What is wished for, in seconds: as long as hubs grant by themselves. */
export const WISHED_LEASE_SECONDS = 864_000;
/** Of a hub that does not say it. */
const UNSAID_LEASE_MS = DAY_MS;
const LONGEST_LEASE_MS = 365 * DAY_MS;
/** Hubs die without a word, so that a long lease is renewed all the same. */
const LONGEST_REST_MS = 14 * DAY_MS;
const SHORTEST_REST_MS = MINUTE_MS;
const RENEWED_AT = 0.8;
const JITTER = 0.1;
/** The hub counts from its request, we from its arrival. */
const MARGIN_MS = MINUTE_MS;

/** A challenge that is not there by then does not come. */
export const PENDING_MS = 60 * MINUTE_MS;
/** Who was denied may ask again by then. */
export const DENIED_MS = DAY_MS;
const FIRST_RETRY_MS = 15 * MINUTE_MS;
const LONGEST_RETRY_MS = DAY_MS;

export interface Lease {
  readonly expiresMs: number;
  readonly renewAtMs: number;
}

/** The lease that a challenge grants, from its arrival on. `random` is from 0 up to, not including, 1. */
export function leaseFrom(seconds: string | undefined, atMs: number, random: number): Lease {
  const isUsable = seconds !== undefined && /^[0-9]{1,12}$/.test(seconds) && Number(seconds) > 0;
  const grantedMs = isUsable ? Math.min(Number(seconds) * 1000, LONGEST_LEASE_MS) : UNSAID_LEASE_MS;
  const leaseMs = grantedMs > 2 * MARGIN_MS ? grantedMs - MARGIN_MS : grantedMs;
  const restMs = Math.min(leaseMs * (RENEWED_AT - JITTER * random), LONGEST_REST_MS);
  return { expiresMs: atMs + leaseMs, renewAtMs: Math.round(atMs + Math.max(restMs, SHORTEST_REST_MS)) };
}

/** How long to wait behind so many failures in a row. What is active until `leftMs` is tried again before. */
export function subscriptionRetryMs(failures: number, random: number, leftMs = Number.POSITIVE_INFINITY): number {
  const doubledMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LONGEST_RETRY_MS);
  const jitteredMs = doubledMs * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(SHORTEST_REST_MS, Math.min(jitteredMs, leftMs / 2)));
}
