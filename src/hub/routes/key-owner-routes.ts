import { formatTime } from '../../codecs/primitives/time.ts';
import { API_KEY_HEADER, KEY_CHALLENGE } from '../http/access.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { uncachedJson } from '../http/small-answer.ts';
import { apiKeyRecord } from '../keys/api-key.ts';
import type { ApiKeyRecord } from '../keys/api-key-store.ts';
import type { KeyParts } from './key-parts.ts';
import { KEY_STANDING, NEW_KEY, viewNewKey } from './key-view.ts';
import { USAGE, viewUsage } from './usage-view.ts';

const NO_KEY = 'The header X-DiffDelta-Key is missing, or its key counts no more.';

/** For owners of a key. Unlike feeds, which are open, these need a valid one (T-DD-17). */
export function keyOwnerRoutes(parts: KeyParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/key/info',
      access: 'open',
      summary: 'The tier and current rate limit of the key in X-DiffDelta-Key. This request is not counted.',
      responses: { 200: 'The tier and the rate limit.', 401: NO_KEY },
      answer: KEY_STANDING,
      handle: withProblems((request) => withKey(request, parts, (key) => standing(key, parts))),
    },
    {
      method: 'GET',
      path: '/api/v1/keys/me/usage',
      access: 'open',
      summary: 'Daily usage of the key in X-DiffDelta-Key. This request is not counted.',
      responses: { 200: 'Its usage over the last 90 days.', 401: NO_KEY },
      answer: USAGE,
      handle: withProblems((request) =>
        withKey(request, parts, async (key) => {
          const days = await parts.usage.usageOf(parts.keys.ownerOf(key));
          return uncachedJson(200, viewUsage(key, days));
        }),
      ),
    },
    {
      method: 'POST',
      path: '/api/v1/key/rotate',
      access: 'open',
      summary: 'Replace the key in X-DiffDelta-Key by a new one. The old key stops working.',
      responses: {
        200: 'The new key. It is not shown again.',
        401: NO_KEY,
        409: 'The key was rotated or revoked at the same moment.',
        503: 'The hub cannot write to its disk now; the key stays valid.',
      },
      answer: NEW_KEY,
      handle: withProblems((request) => withKey(request, parts, (key) => rotate(key, parts))),
    },
  ];
}

function withKey(
  { headers }: HubRequest,
  { keys }: KeyParts,
  answer: (key: ApiKeyRecord) => HubResponse | Promise<HubResponse>,
): HubResponse | Promise<HubResponse> {
  const key = keys.find(headers[API_KEY_HEADER]);
  if (key === undefined) return problem({ status: 401, detail: NO_KEY }, { 'www-authenticate': KEY_CHALLENGE });
  return answer(key);
}

function standing({ hash, prefix, tier, createdMs, replaces }: ApiKeyRecord, parts: KeyParts): HubResponse {
  const limit = parts.perMinute[tier];
  const { remaining, resetSeconds } = parts.limiter.look(hash, limit);
  return uncachedJson(200, {
    prefix,
    tier,
    limit_per_minute: limit,
    remaining,
    reset: resetSeconds,
    created_at: formatTime(createdMs),
    ...(replaces !== undefined && { rotated: true }),
  });
}

async function rotate(old: ApiKeyRecord, { keys, limiter, perMinute, makeKey, now }: KeyParts): Promise<HubResponse> {
  const key = makeKey();
  const { hash: replaces, tier, label } = old;
  const next = apiKeyRecord(key, { tier, createdMs: now(), replaces, ...(label !== undefined && { label }) });
  if ((await keys.rotate(replaces, next)) === 'too-late') {
    return problem({ status: 409, detail: 'This key was rotated or revoked at the same moment, and counts no more.' });
  }
  // Otherwise a new key would reset the limit of the minute.
  limiter.move(replaces, next.hash);
  return uncachedJson(200, viewNewKey(key, next, perMinute[tier]));
}
