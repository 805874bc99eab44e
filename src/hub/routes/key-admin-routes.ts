import { apiKeyAmbiguousError, apiKeyUnknownError } from '../../errors/refusals.ts';
import { fieldsOf, oneOf, text } from '../config/setting-decoders.ts';
import { SOLD_TIERS } from '../config/tiers.ts';
import { withProblems } from '../http/api-problems.ts';
import type { Route, RouteParameter } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { apiKeyRecord, isApiKey, shownPartOf } from '../keys/api-key.ts';
import type { ApiKeyRecord } from '../keys/api-key-store.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { KeyParts } from './key-parts.ts';
import { KEY_SCHEMA, type KeyView, NEW_KEY, type NewKey, viewKey, viewNewKey } from './key-view.ts';
import { queryFields } from './query-fields.ts';
import { ALL_USAGE, USAGE, viewAllUsage, viewUsage } from './usage-view.ts';

const KEYS = '/api/v1/keys';
const MAX_LABEL = 200;
const SHOWN = 100;
const NO_SUCH_KEY = 'There is no valid key with this prefix or hash.';
const SEVERAL = 'Several keys have this prefix; detail names their hashes.';
const NO_WRITE = 'The hub cannot write to its disk now.';

const KEY_PARAMETER: RouteParameter = {
  name: 'key',
  in: 'path',
  required: true,
  description: 'The prefix of the key (dd_live_ and four characters) or its hash.',
  schema: { type: 'string' },
};

/** Every key of the hub, for its admin. */
export function keyAdminRoutes(parts: KeyParts): Route[] {
  const { keys, now } = parts;
  return [
    ...usageRoutes(parts),
    {
      method: 'GET',
      path: KEYS,
      access: 'admin',
      summary: 'List every API key, including those that are no longer valid. The hub stores only hashes of keys.',
      responses: { 200: 'In order of creation.', 400: 'The query has parameters.' },
      answer: {
        mediaType: JSON_TYPE,
        schema: { type: 'object', required: ['keys'], properties: { keys: { type: 'array', items: KEY_SCHEMA } } },
      },
      handle: withProblems(({ query }) => {
        queryFields({}, query);
        return uncachedJson(200, { keys: keys.all().map(viewKey) });
      }),
    },
    {
      method: 'POST',
      path: KEYS,
      access: 'admin',
      summary: 'Create an API key. It is shown once.',
      requestBody: {
        type: 'object',
        properties: { tier: { enum: SOLD_TIERS, default: 'pro' }, label: { type: 'string', maxLength: MAX_LABEL } },
        additionalProperties: false,
      },
      responses: {
        201: 'The key. It is not shown again.',
        400: 'The body is not as described; detail names the key.',
        503: NO_WRITE,
      },
      answer: NEW_KEY,
      handle: withProblems(async ({ body }) => uncachedJson(201, await issueKey(body ?? {}, parts))),
    },
    {
      method: 'DELETE',
      path: `${KEYS}/:key`,
      access: 'admin',
      summary: 'Revoke an API key. From now on its requests are treated as requests without a key.',
      parameters: [KEY_PARAMETER],
      responses: {
        200: 'The key is revoked.',
        404: NO_SUCH_KEY,
        409: SEVERAL,
        503: NO_WRITE,
      },
      answer: { mediaType: JSON_TYPE, schema: KEY_SCHEMA },
      handle: withProblems(async ({ params: { key = '' } }) => uncachedJson(200, await revokeNamed(key, keys, now()))),
    },
  ];
}

function usageRoutes({ keys, usage }: KeyParts): Route[] {
  return [
    {
      method: 'GET',
      path: `${KEYS}/usage`,
      access: 'admin',
      summary: 'Usage of each API key over the last 90 days. A key and its rotations count as one.',
      responses: { 200: 'In order of creation.', 400: 'The query has parameters.' },
      answer: ALL_USAGE,
      handle: withProblems(async ({ query }) => {
        queryFields({}, query);
        return uncachedJson(200, { keys: viewAllUsage(keys, await usage.allUsage()) });
      }),
    },
    {
      method: 'GET',
      path: `${KEYS}/:key/usage`,
      access: 'admin',
      summary: 'Daily usage of an API key.',
      parameters: [KEY_PARAMETER],
      responses: { 200: 'Its usage over the last 90 days.', 404: NO_SUCH_KEY, 409: SEVERAL },
      answer: USAGE,
      handle: withProblems(async ({ params: { key = '' } }) => {
        const record = namedKey(key, keys);
        return uncachedJson(200, viewUsage(record, await usage.usageOf(keys.ownerOf(record))));
      }),
    },
  ];
}

const WISH = { tier: oneOf(SOLD_TIERS), label: text(MAX_LABEL) };

/** Throws a {@link SettingRefusedError} that names the invalid part of the request. */
export async function issueKey(
  wish: unknown,
  { keys, makeKey, perMinute, now }: IssueParts,
): Promise<NewKey & KeyView> {
  const { tier = 'pro', label } = fieldsOf(WISH, wish, '');
  const key = makeKey();
  const record = apiKeyRecord(key, { tier, createdMs: now(), ...(label !== undefined && { label }) });
  await keys.add(record);
  return { ...viewNewKey(key, record, perMinute[tier]), ...viewKey(record) };
}

type IssueParts = Pick<KeyParts, 'keys' | 'makeKey' | 'perMinute' | 'now'>;

/** Throws an `ApiKeyUnknownError` or an `ApiKeyAmbiguousError` unless the name means exactly one key. */
export async function revokeNamed(
  name: string,
  keys: Pick<KeyRing, 'named' | 'revoke'>,
  atMs: number,
): Promise<KeyView> {
  const record = namedKey(name, keys);
  const revoked = { atMs, for: 'revoked' };
  if ((await keys.revoke(record.hash, revoked)) === 'too-late') throw apiKeyUnknownError(shownName(name));
  return viewKey({ ...record, revokedMs: atMs, revokedFor: revoked.for });
}

/** The one key with this name; throws as {@link revokeNamed} does. */
export function namedKey(name: string, keys: Pick<KeyRing, 'named'>): ApiKeyRecord {
  const [record, ...others] = keys.named(name);
  if (record === undefined) throw apiKeyUnknownError(shownName(name));
  const hashes = [record, ...others].map(({ hash }) => hash);
  if (others.length > 0) throw apiKeyAmbiguousError(shownName(name), hashes);
  return record;
}

function shownName(name: string): string {
  return isApiKey(name) ? shownPartOf(name) : name.slice(0, SHOWN);
}
