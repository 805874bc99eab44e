import { type DecodedDiffDeltaFeed, decodeDiffDeltaFeed } from '../../src/codecs/diffdelta/decode-feed.ts';

export const CURSOR = `sha256:${'ab'.repeat(32)}`;

export const ITEM = {
  source: 'docs',
  id: '1',
  url: 'https://docs.example/guide',
  published_at: '2026-02-05T12:00:00Z',
  updated_at: '2026-02-05T12:00:00Z',
  headline: 'Guide',
  content: { excerpt_text: 'Install it first.' },
  provenance: {
    content_hash: CURSOR,
    fetched_at: '2026-02-05T12:00:00Z',
    evidence_urls: ['https://docs.example/guide'],
  },
};

export const FEED = {
  schema_version: '1.1.0',
  generated_at: '2026-02-05T12:00:00Z',
  cursor: CURSOR,
  prev_cursor: null,
  changed: true,
  ttl_sec: 300,
  sources_included: ['docs'],
  buckets: { new: [ITEM], updated: [], removed: [], flagged: [] },
  sources: { docs: { status: 'ok', changed: true, cursor: CURSOR, prev_cursor: null, ttl_sec: 300 } },
};

export const RISKLESS = { ...ITEM, risk: { score: 0, reasons: [] } };

export function decoded(value: unknown): DecodedDiffDeltaFeed {
  const result = decodeDiffDeltaFeed(JSON.stringify(value));
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

export const refusal = (value: unknown) => {
  const result = decodeDiffDeltaFeed(typeof value === 'string' ? value : JSON.stringify(value));
  return result.ok ? undefined : result.issues[0];
};

export const without = (object: object, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
