/** DiffDelta §10. Who has no key is `free`. */
export type Tier = 'free' | 'pro' | 'enterprise';

/** Requests per minute. */
export type TierLimits = Readonly<Record<Tier, number>>;

export const DEFAULT_TIER_LIMITS: TierLimits = { free: 60, pro: 1000, enterprise: 5000 };

/** Those that one has a key for. */
export const SOLD_TIERS = ['pro', 'enterprise'] as const;
export type SoldTier = (typeof SOLD_TIERS)[number];
