import type { TierLimits } from '../config/tiers.ts';
import type { Route } from '../http/route.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Payments } from '../keys/payments.ts';
import type { RateLimiter } from '../keys/rate-limiter.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { keyAdminRoutes } from './key-admin-routes.ts';
import { keyOwnerRoutes } from './key-owner-routes.ts';

export interface KeyParts {
  readonly keys: KeyRing;
  /** Absent: the admin alone gives out keys. */
  readonly payments?: Payments;
  readonly perMinute: TierLimits;
  /** Counts the requests for feeds, those with a key by its hash. */
  readonly limiter: RateLimiter;
  makeKey(): string;
  /** Where readers find the hub, with a final slash. */
  baseUrl(): string;
  now(): number;
}

/** API keys (DiffDelta §10): how to come by one, how it stands, a new one in its place; and all of them for the admin. */
export function keyRoutes(parts: KeyParts): Route[] {
  return [...checkoutRoutes(parts), ...keyOwnerRoutes(parts), ...keyAdminRoutes(parts)];
}
