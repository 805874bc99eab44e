/** DiffDelta §10. Clients without a key are `free`. */
export type Tier = 'free' | 'pro' | 'enterprise';

/** Requests per minute. */
export type TierLimits = Readonly<Record<Tier, number>>;

export const DEFAULT_TIER_LIMITS: TierLimits = { free: 60, pro: 1000, enterprise: 5000 };

/** The tiers that have keys. */
export const SOLD_TIERS = ['pro', 'enterprise'] as const;
export type SoldTier = (typeof SOLD_TIERS)[number];
