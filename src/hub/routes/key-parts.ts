import type { TierLimits } from '../config/tiers.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { UsageMeter } from '../keys/key-usage.ts';
import type { Payments } from '../keys/payments.ts';
import type { MakeLimiter, RateLimiter } from '../keys/rate-limiter.ts';

/** What the routes for API keys stand on. */
export interface KeyParts {
  readonly keys: KeyRing;
  /** Absent: the admin alone gives out keys. */
  readonly payments?: Payments;
  readonly perMinute: TierLimits;
  /** Counts the requests for feeds, those with a key by its hash. */
  readonly limiter: RateLimiter;
  /** For what else is limited. Absent: this process counts for itself. */
  readonly makeLimiter?: MakeLimiter;
  /** What is asked with keys. */
  readonly usage: Pick<UsageMeter, 'usageOf' | 'allUsage'>;
  makeKey(): string;
  /** Where readers find the hub, with a final slash. */
  baseUrl(): string;
  now(): number;
}
