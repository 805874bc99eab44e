import { RISK_RULES, type RiskWeights } from '../../extract/risk/risk-rules.ts';
import type { ApiKeySettings, RiskSettings } from './hub-config.ts';
import { baseUrl } from './setting-addresses.ts';
import { type Decode, fieldsOf, objectOf, oneOf, refused, text, wholeNumberIn } from './setting-decoders.ts';
import { DEFAULT_TIER_LIMITS, SOLD_TIERS, type Tier, type TierLimits } from './tiers.ts';

const MOST_REQUESTS = 1_000_000_000;
const STRIPE_API = 'https://api.stripe.com/';

const requests = wholeNumberIn(1, MOST_REQUESTS);

/** A plain number is the limit of the free tier. */
const perMinute: Decode<TierLimits> = (value, at) => {
  if (typeof value !== 'object' || value === null) return raised({ free: requests(value, at) });
  const limits = raised(fieldsOf({ free: requests, pro: requests, enterprise: requests }, value, at));
  ensureMore(limits, 'free', 'pro', at);
  ensureMore(limits, 'pro', 'enterprise', at);
  return limits;
};

function ensureMore(limits: TierLimits, lower: Tier, higher: Tier, at: string): void {
  if (limits[higher] >= limits[lower]) return;
  const advice = `Give ${limits[lower]} or more: ${lower} has as many, and nobody gets less for having a key.`;
  throw refused(`${at}.${higher}`, limits[higher], advice);
}

/** Missing limits get the default, or more: a key never lowers the limit. */
function raised(said: Partial<TierLimits>): TierLimits {
  const { free = DEFAULT_TIER_LIMITS.free } = said;
  const { pro = Math.max(free, DEFAULT_TIER_LIMITS.pro) } = said;
  const { enterprise = Math.max(pro, DEFAULT_TIER_LIMITS.enterprise) } = said;
  return { free, pro, enterprise };
}

/** How often clients may ask: `{ "perMinute": 60 }` or `{ "perMinute": { "free": 60, "pro": 1000 } }`. */
export const limits: Decode<TierLimits> = (value, at) =>
  fieldsOf({ perMinute }, value, at).perMinute ?? DEFAULT_TIER_LIMITS;

/** How API keys are issued: `{ "provider": "stripe", "price": "price_1Nx" }`. */
export const apiKeys: Decode<ApiKeySettings> = (value, at) => {
  const shape = {
    provider: oneOf(['none', 'builtin', 'stripe']),
    price: text(255),
    tier: oneOf(SOLD_TIERS),
    apiUrl: baseUrl,
  };
  const { provider = 'none', price, tier, apiUrl } = fieldsOf(shape, value, at);
  if (provider === 'stripe') {
    if (price === undefined) throw refused(`${at}.price`, price, 'Give the id of the price at Stripe, like price_1Nx.');
    return { provider, price, tier: tier ?? 'pro', apiUrl: apiUrl ?? STRIPE_API };
  }
  if (price !== undefined) throw refused(`${at}.price`, price, 'It is for the provider stripe only.');
  if (apiUrl !== undefined) throw refused(`${at}.apiUrl`, apiUrl, 'It is for the provider stripe only.');
  if (provider === 'builtin') return { provider, tier: tier ?? 'pro' };
  if (tier !== undefined) throw refused(`${at}.tier`, tier, 'It is for the providers builtin and stripe.');
  return { provider };
};

const weight: Decode<number> = (value, at) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw refused(at, value, 'Give a number from 0 to 1.');
};

/** How items are scored for risk: `{ "rules": { "role-tags": 0.2 } }`. */
export const riskSettings: Decode<RiskSettings> = (value, at) => ({
  rules: fieldsOf({ rules }, value, at).rules ?? {},
});

const rules: Decode<RiskWeights> = (value, at) => {
  const said = Object.entries(objectOf(value, at));
  return Object.fromEntries(said.map(([name, given]) => [ruleName(name, at), weight(given, `${at}.${name}`)]));
};

const ruleName: Decode<string> = oneOf(Object.keys(RISK_RULES));
