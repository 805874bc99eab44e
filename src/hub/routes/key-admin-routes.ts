import { apiKeyAmbiguousError, apiKeyUnknownError } from '../../errors/refusals.ts';
import { fieldsOf, oneOf, text } from '../config/setting-decoders.ts';
import { SOLD_TIERS } from '../config/tiers.ts';
import { withProblems } from '../http/api-problems.ts';
import type { Route, RouteParameter } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { apiKeyRecord, isApiKey, shownPartOf } from '../keys/api-key.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { KeyParts } from './key-parts.ts';
import { KEY_SCHEMA, type KeyView, NEW_KEY, type NewKey, viewKey, viewNewKey } from './key-view.ts';
import { queryFields } from './query-fields.ts';

const KEYS = '/api/v1/keys';
const MAX_LABEL = 200;
const SHOWN = 100;
const NO_WRITE = 'The hub cannot write to its disk now.';

const KEY_PARAMETER: RouteParameter = {
  name: 'key',
  in: 'path',
  required: true,
  description: 'How it begins (dd_live_ and four characters), or its hash.',
  schema: { type: 'string' },
};

/** Every key of the hub, for its admin. */
export function keyAdminRoutes(parts: KeyParts): Route[] {
  const { keys, now } = parts;
  return [
    {
      method: 'GET',
      path: KEYS,
      access: 'admin',
      summary: 'Every API key, also those that count no more. Of the keys themselves only the hashes are known.',
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
      summary: 'A new API key. It is shown once.',
      requestBody: {
        type: 'object',
        properties: { tier: { enum: SOLD_TIERS, default: 'pro' }, label: { type: 'string', maxLength: MAX_LABEL } },
        additionalProperties: false,
      },
      responses: {
        201: 'The key, for the only time.',
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
      summary: 'Revoke an API key: its requests count as those of nobody from now on.',
      parameters: [KEY_PARAMETER],
      responses: {
        200: 'It is revoked.',
        404: 'No key that counts is called so.',
        409: 'Several begin so; detail names their hashes.',
        503: NO_WRITE,
      },
      answer: { mediaType: JSON_TYPE, schema: KEY_SCHEMA },
      handle: withProblems(async ({ params: { key = '' } }) => uncachedJson(200, await revokeNamed(key, keys, now()))),
    },
  ];
}

const WISH = { tier: oneOf(SOLD_TIERS), label: text(MAX_LABEL) };

/** Throws a {@link SettingRefusedError} that names what of the wish makes no sense. */
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

/** Throws an `ApiKeyUnknownError` or an `ApiKeyAmbiguousError` where not one key is meant. */
export async function revokeNamed(
  name: string,
  keys: Pick<KeyRing, 'named' | 'revoke'>,
  atMs: number,
): Promise<KeyView> {
  const [record, ...others] = keys.named(name);
  const shown = isApiKey(name) ? shownPartOf(name) : name.slice(0, SHOWN);
  if (record === undefined) throw apiKeyUnknownError(shown);
  if (others.length > 0)
    throw apiKeyAmbiguousError(
      shown,
      [record, ...others].map(({ hash }) => hash),
    );
  const revoked = { atMs, for: 'revoked' };
  if ((await keys.revoke(record.hash, revoked)) === 'too-late') throw apiKeyUnknownError(shown);
  return viewKey({ ...record, revokedMs: atMs, revokedFor: revoked.for });
}
