import type { SoldTier, Tier } from '../config/tiers.ts';
import { API_KEY_HEADER, KEY_CHALLENGE } from '../http/access.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse } from '../http/route.ts';
import type { ApiKeyRecord } from './api-key-store.ts';
import type { KeyRing } from './key-ring.ts';

/** The caller of a protected route: the admin, who may do everything, or the owner of a key, who may use their own data. */
export type Caller =
  | { readonly is: 'admin' }
  | { readonly is: 'owner'; readonly owner: string; readonly key: ApiKeyRecord };

export interface CallerRules {
  readonly keys: Pick<KeyRing, 'find' | 'ownerOf'>;
  /** The tiers that have what the route is for. */
  readonly tiers: readonly SoldTier[];
}

type Handle = (request: HubRequest, caller: Caller) => HubResponse | Promise<HubResponse>;

/** A handler for a route with access `admin-or-key`: called with the caller, and only for permitted ones. */
export function asCaller(
  { keys, tiers }: CallerRules,
  handle: Handle,
): (request: HubRequest) => HubResponse | Promise<HubResponse> {
  return (request) => {
    if (request.isAdmin) return handle(request, { is: 'admin' });
    const key = keys.find(request.headers[API_KEY_HEADER]);
    if (key === undefined) return noKey();
    if (!tiers.some((tier) => tier === key.tier)) return otherTier(key.tier, tiers);
    return handle(request, { is: 'owner', owner: keys.ownerOf(key), key });
  };
}

function noKey(): HubResponse {
  const detail = 'The key in X-DiffDelta-Key counts no more, or never did.';
  return problem({ status: 401, detail }, { 'www-authenticate': KEY_CHALLENGE });
}

function otherTier(tier: Tier, tiers: readonly SoldTier[]): HubResponse {
  return problem({ status: 403, detail: `This is for keys of the tier ${tiers.join(' or ')}; this one is ${tier}.` });
}
