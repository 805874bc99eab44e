import type { TierLimits } from '../config/tiers.ts';
import { API_KEY_HEADER } from '../http/access.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import type { ApiKeyRecord } from './api-key-store.ts';
import { clientOfAddress } from './client-address.ts';
import { usageTap } from './count-usage.ts';
import type { KeyRing } from './key-ring.ts';
import type { UsageMeter } from './key-usage.ts';
import type { Allowance, RateLimiter } from './rate-limiter.ts';

export interface RequestLimits {
  readonly limiter: RateLimiter;
  readonly perMinute: TierLimits;
  /** Whose requests are counted by key. Absent: everybody's by address. */
  readonly keys?: Pick<KeyRing, 'find' | 'ownerOf'>;
  /** The usage of keys. */
  readonly usage?: Pick<UsageMeter, 'answered' | 'sent' | 'refused'>;
}

/** The name under which a client is counted: the hash of its key if that is valid, else its address. */
export function clientOf({ headers, clientIp }: HubRequest, keys: Pick<KeyRing, 'find'> | undefined): string {
  return keys?.find(headers[API_KEY_HEADER])?.hash ?? clientOfAddress(clientIp);
}

/**
 * The same routes with limits (DD-U3 to DD-U7): every answer names the allowance of the client, and a client that asks too often gets 429. Requests with the
 * hub's token are not counted.
 *
 * An invalid key changes nothing: its sender is counted by address (DD-U1, DD-U15).
 */
export function limitRoutes(routes: readonly Route[], limits: RequestLimits): Route[] {
  return routes.map((route) => ({
    ...route,
    responses: { ...route.responses, 429: 'Too many requests of this client in a minute; see Retry-After.' },
    handle: (request) => answerWithin(limits, request, route),
  }));
}

/** All routes, with limits on those that are metered. */
export function limitMeteredRoutes(routes: readonly Route[], limits: RequestLimits): Route[] {
  return routes.flatMap((route) => (route.isMetered ? limitRoutes([route], limits) : [route]));
}

function answerWithin(
  { limiter, perMinute, keys, usage }: RequestLimits,
  request: HubRequest,
  route: Route,
): HubResponse | Promise<HubResponse> {
  if (request.isAdmin) return route.handle(request);
  const key = keys?.find(request.headers[API_KEY_HEADER]);
  const client = key?.hash ?? clientOfAddress(request.clientIp);
  // Counted before anything is awaited, so that concurrent requests cannot pass together.
  const allowance = limiter.take(client, perMinute[key?.tier ?? 'free']);
  const counted = (given: HubResponse) => withStanding(given, allowance, key);
  const owner = key === undefined ? undefined : keys?.ownerOf(key);
  const tap = usage === undefined || owner === undefined ? undefined : usageTap(owner, usage);
  if (!allowance.isAllowed) {
    tap?.refused();
    return counted(tooMany(allowance));
  }
  const answer = route.handle(request);
  // Not awaited if it is already there: most answers are 304.
  if (!(answer instanceof Promise)) return counted(tap === undefined ? answer : tap.answered(request, answer));
  return answer.then((late) => counted(tap === undefined ? late : tap.answered(request, late)));
}

function withStanding(
  { status, headers, also: given, body, error }: HubResponse,
  { limit, remaining, resetSeconds }: Allowance,
  key: ApiKeyRecord | undefined,
): HubResponse {
  const also: Record<string, string> = {
    ...given,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetSeconds),
  };
  if (key !== undefined) also['x-diffdelta-tier'] = key.tier;
  return { status, headers, also, ...(body !== undefined && { body }), ...(error !== undefined && { error }) };
}

/** No status is named in the specification (T-DD-17). */
function tooMany({ limit, leftMs }: Allowance): HubResponse {
  const seconds = Math.ceil(leftMs / 1000);
  const detail = `This client may ask ${limit} times a minute, and has. It may ask again in ${seconds} s.`;
  return problem({ status: 429, detail }, { 'retry-after': String(seconds) });
}
