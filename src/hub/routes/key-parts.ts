import type { TierLimits } from '../config/tiers.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { UsageMeter } from '../keys/key-usage.ts';
import type { Payments } from '../keys/payments.ts';
import type { MakeLimiter, RateLimiter } from '../keys/rate-limiter.ts';

/** What the routes for API keys need. */
export interface KeyParts {
  readonly keys: KeyRing;
  /** Absent: only the admin issues keys. */
  readonly payments?: Payments;
  readonly perMinute: TierLimits;
  /** Counts the requests for feeds; those with a key by its hash. */
  readonly limiter: RateLimiter;
  /** Makes limiters for everything else. Absent: this process counts for itself. */
  readonly makeLimiter?: MakeLimiter;
  /** The usage of keys. */
  readonly usage: Pick<UsageMeter, 'usageOf' | 'allUsage'>;
  makeKey(): string;
  /** The public base URL of the hub, with a final slash. */
  baseUrl(): string;
  now(): number;
}
