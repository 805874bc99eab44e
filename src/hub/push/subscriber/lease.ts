const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The requested lease in seconds: as long as hubs usually grant. */
export const WISHED_LEASE_SECONDS = 864_000;
/** For a hub that does not name the lease. */
const UNSAID_LEASE_MS = DAY_MS;
const LONGEST_LEASE_MS = 365 * DAY_MS;
/** Hubs disappear silently, so even a long lease is renewed. */
const LONGEST_REST_MS = 14 * DAY_MS;
const SHORTEST_REST_MS = MINUTE_MS;
const RENEWED_AT = 0.8;
const JITTER = 0.1;
/** The hub counts from its request, we from its arrival. */
const MARGIN_MS = MINUTE_MS;

/** How long a challenge is waited for. */
export const PENDING_MS = 60 * MINUTE_MS;
/** When a denied subscription may be asked for again. */
export const DENIED_MS = DAY_MS;
const FIRST_RETRY_MS = 15 * MINUTE_MS;
const LONGEST_RETRY_MS = DAY_MS;

export interface Lease {
  readonly expiresMs: number;
  readonly renewAtMs: number;
}

/** The lease that a challenge grants, from its arrival. `random` is from 0 up to, but not including, 1. */
export function leaseFrom(seconds: string | undefined, atMs: number, random: number): Lease {
  const isUsable = seconds !== undefined && /^[0-9]{1,12}$/.test(seconds) && Number(seconds) > 0;
  const grantedMs = isUsable ? Math.min(Number(seconds) * 1000, LONGEST_LEASE_MS) : UNSAID_LEASE_MS;
  const leaseMs = grantedMs > 2 * MARGIN_MS ? grantedMs - MARGIN_MS : grantedMs;
  const restMs = Math.min(leaseMs * (RENEWED_AT - JITTER * random), LONGEST_REST_MS);
  return { expiresMs: atMs + leaseMs, renewAtMs: Math.round(atMs + Math.max(restMs, SHORTEST_REST_MS)) };
}

/** The wait after so many failures in a row. A subscription that is active for `leftMs` is retried before it ends. */
export function subscriptionRetryMs(failures: number, random: number, leftMs = Number.POSITIVE_INFINITY): number {
  const doubledMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LONGEST_RETRY_MS);
  const jitteredMs = doubledMs * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(SHORTEST_REST_MS, Math.min(jitteredMs, leftMs / 2)));
}
