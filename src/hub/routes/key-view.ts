import { formatTime } from '../../codecs/primitives/time.ts';
import type { Tier } from '../config/tiers.ts';
import { JSON_TYPE } from '../http/small-answer.ts';
import type { ApiKeyRecord } from '../keys/api-key-store.ts';

/** An API key as `/api/v1/keys` shows it to the admin. Never the key itself. */
export interface KeyView {
  readonly prefix: string;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  readonly tier: Tier;
  readonly label?: string;
  readonly created_at: string;
  readonly revoked_at?: string;
  /** `revoked`, `rotated` or `ended`; `unpaid` may be temporary. */
  readonly revoked_for?: string;
}

/** A new key, in the only answer that contains it. */
export interface NewKey {
  readonly key: string;
  readonly tier: Tier;
  readonly prefix: string;
  readonly limit_per_minute: number;
  readonly note: string;
}

const NOTE = 'Keep this key: it is not stored here and cannot be shown again. Send it in the header X-DiffDelta-Key.';

export function viewKey({ prefix, hash, tier, label, createdMs, revokedMs, revokedFor }: ApiKeyRecord): KeyView {
  return {
    prefix,
    hash,
    tier,
    ...(label !== undefined && { label }),
    created_at: formatTime(createdMs),
    ...(revokedMs !== undefined && { revoked_at: formatTime(revokedMs) }),
    ...(revokedFor !== undefined && { revoked_for: revokedFor }),
  };
}

export function viewNewKey(key: string, { tier, prefix }: ApiKeyRecord, limitPerMinute: number): NewKey {
  return { key, tier, prefix, limit_per_minute: limitPerMinute, note: NOTE };
}

const text = { type: 'string' } as const;
const moment = { type: 'string', format: 'date-time' } as const;
const TIER = { enum: ['free', 'pro', 'enterprise'] } as const;
const PREFIX = { ...text, description: 'The prefix of the key.' } as const;

export const KEY_SCHEMA = {
  type: 'object',
  required: ['prefix', 'hash', 'tier', 'created_at'],
  properties: {
    prefix: PREFIX,
    hash: { ...text, description: 'SHA-256 of the key, hex.' },
    tier: TIER,
    label: text,
    created_at: moment,
    revoked_at: moment,
    revoked_for: { enum: ['revoked', 'rotated', 'ended', 'unpaid'] },
  },
} as const;

/** The answer of a route that makes a key. */
export const NEW_KEY = {
  mediaType: JSON_TYPE,
  schema: {
    type: 'object',
    required: ['key', 'tier', 'prefix', 'limit_per_minute', 'note'],
    properties: {
      key: { ...text, pattern: '^dd_live_[0-9A-Za-z]{32}$' },
      tier: TIER,
      prefix: PREFIX,
      limit_per_minute: { type: 'integer' },
      note: text,
    },
  },
} as const;

export const KEY_STANDING = {
  mediaType: JSON_TYPE,
  schema: {
    type: 'object',
    required: ['prefix', 'tier', 'limit_per_minute', 'remaining', 'reset', 'created_at'],
    properties: {
      prefix: PREFIX,
      tier: TIER,
      limit_per_minute: { type: 'integer' },
      remaining: { type: 'integer', minimum: 0 },
      reset: { type: 'integer', description: 'End of the rate limit window, in Unix seconds.' },
      created_at: moment,
      rotated: { type: 'boolean', description: 'true: the key replaced an earlier one.' },
    },
  },
} as const;
