import { formatTime } from '../../codecs/primitives/time.ts';
import { JSON_TYPE } from '../http/small-answer.ts';
import type { ApiKeyRecord } from '../keys/api-key-store.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { USAGE_DAYS, type UsageCount, type UsageDay } from '../keys/key-usage.ts';
import { KEY_SCHEMA, type KeyView, viewKey } from './key-view.ts';

/** The usage of a key over the last 90 days; a key and its successors count as one. */
export interface UsageView {
  readonly prefix: string;
  readonly tier: string;
  /** Absent if it was not used in that time. */
  readonly last_used_at?: string;
  readonly total: UsageCount;
  /** The days on which it was used, oldest first, in UTC. */
  readonly days: readonly (UsageCount & { readonly date: string })[];
}

/** The same for the admin, without the days. */
export type KeyUsageView = KeyView & Pick<UsageView, 'last_used_at' | 'total'>;

const DAY_MS = 86_400_000;

export function viewUsage({ prefix, tier }: ApiKeyRecord, days: readonly UsageDay[]): UsageView {
  return {
    prefix,
    tier,
    ...summaryOf(days),
    days: days.map(({ day, requests, bytes, refused }) => ({
      date: formatTime(day * DAY_MS).slice(0, 10),
      requests,
      bytes,
      refused,
    })),
  };
}

/** One line per owner of keys: the newest key, and the usage of all of them. */
export function viewAllUsage(
  keys: Pick<KeyRing, 'all' | 'ownerOf' | 'newestOf'>,
  usage: ReadonlyMap<string, readonly UsageDay[]>,
): readonly KeyUsageView[] {
  return keys.all().flatMap((record) => {
    const owner = keys.ownerOf(record);
    if (keys.newestOf(owner)?.hash !== record.hash) return [];
    return [viewKeyUsage(record, usage.get(owner) ?? [])];
  });
}

/** `days`: those of its owner. */
export function viewKeyUsage(record: ApiKeyRecord, days: readonly UsageDay[]): KeyUsageView {
  return { ...viewKey(record), ...summaryOf(days) };
}

function summaryOf(days: readonly UsageDay[]): Pick<UsageView, 'last_used_at' | 'total'> {
  const total = { requests: 0, bytes: 0, refused: 0 };
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    total.requests += day.requests;
    total.bytes += day.bytes;
    total.refused += day.refused;
    lastMs = Math.max(lastMs, day.lastMs);
  }
  return { ...(days.length > 0 && { last_used_at: formatTime(lastMs) }), total };
}

const count = { type: 'integer', minimum: 0 } as const;
const COUNTS = {
  requests: { ...count, description: 'Answered requests.' },
  bytes: { ...count, description: 'Bytes of the response bodies.' },
  refused: { ...count, description: 'Requests refused because of the limit of the tier.' },
} as const;
const TOTAL = { type: 'object', required: ['requests', 'bytes', 'refused'], properties: COUNTS } as const;
const LAST = { last_used_at: { type: 'string', format: 'date-time' }, total: TOTAL } as const;

export const USAGE = {
  mediaType: JSON_TYPE,
  schema: {
    type: 'object',
    required: ['prefix', 'tier', 'total', 'days'],
    properties: {
      prefix: { type: 'string' },
      tier: { enum: ['free', 'pro', 'enterprise'] },
      ...LAST,
      days: {
        type: 'array',
        maxItems: USAGE_DAYS,
        items: {
          type: 'object',
          required: ['date', ...TOTAL.required],
          properties: { date: { type: 'string', format: 'date' }, ...COUNTS },
        },
      },
    },
  },
} as const;

export const KEY_USAGE = {
  type: 'object',
  required: [...KEY_SCHEMA.required, 'total'],
  properties: { ...KEY_SCHEMA.properties, ...LAST },
} as const;

export const ALL_USAGE = {
  mediaType: JSON_TYPE,
  schema: { type: 'object', required: ['keys'], properties: { keys: { type: 'array', items: KEY_USAGE } } },
} as const;
