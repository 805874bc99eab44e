import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeDiffDeltaFeed } from './decode-feed.ts';
import { decodeHead } from './decode-head.ts';
import { encodeDiffDeltaFeed, encodeHead, hashOfText, inServedOrder } from './encode.ts';
import type { DiffDeltaFeed, DiffDeltaItem, SourceEntry } from './wire.ts';

const HASH = `sha256:${'a'.repeat(64)}`;
const itemOf = (id: string, published = '2026-02-05T12:00:00.000Z', source = 'docs'): DiffDeltaItem => ({
  source,
  id,
  url: 'https://docs.example/',
  published_at: published,
  updated_at: published,
  headline: id,
  content: {},
  provenance: { content_hash: HASH, fetched_at: published, evidence_urls: [] },
});
const ENTRY: SourceEntry = {
  status: 'ok',
  changed: false,
  cursor: null,
  prev_cursor: null,
  ttl_sec: 60,
  head_url: '/diff/docs/head.json',
  latest_url: '/diff/docs/latest.json',
};
const FEED: DiffDeltaFeed = {
  schema_version: '1.1.0',
  generated_at: '2026-02-05T12:00:00.250Z',
  prev_hash: null,
  cursor: HASH,
  prev_cursor: null,
  cursor_basis: 'canonical_v1',
  changed: true,
  ttl_sec: 60,
  sources_included: ['docs'],
  batch_narrative: '',
  counts: { new: 0, updated: 0, removed: 0, flagged: 0 },
  buckets: { new: [], updated: [], removed: [], flagged: [] },
  sources: { docs: ENTRY },
};

interface HashVector {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}
const vectors: readonly HashVector[] = JSON.parse(
  readFileSync(new URL('../../../specs/diffdelta/vectors/feed-hash.json', import.meta.url), 'utf8'),
);

test.each(vectors)('vector: $name', ({ text, hash }) => {
  expect(hashOfText(text)).toBe(hash);
  expect(encodeDiffDeltaFeed(JSON.parse(text))).toEqual({ text, hash });
});

test('any byte that changes is seen in the hash, and another spelling has none', () => {
  const { text, hash } = encodeDiffDeltaFeed(FEED);
  expect(hashOfText(text)).toBe(hash);
  fc.assert(
    fc.property(fc.integer({ min: 82, max: text.length - 1 }), (at) => {
      const other = `${text.slice(0, at)}${text[at] === '~' ? '!' : '~'}${text.slice(at + 1)}`;
      expect(hashOfText(other)).not.toBe(hash);
    }),
  );
  expect(hashOfText(JSON.stringify(JSON.parse(text), null, 2))).toBeUndefined();
  expect(hashOfText('')).toBeUndefined();
});

clause('DD-O1', 'sources_included stands in order of code points', () => {
  const { text } = encodeDiffDeltaFeed({ ...FEED, sources_included: ['z', 'a', '10', 'm', '9', 'Z'] });
  expect(JSON.parse(text).sources_included).toEqual(['10', '9', 'Z', 'a', 'm', 'z']);
});

clause('DD-O2', 'keys of sources stand in order in the bytes, also those that look like numbers', () => {
  const ids = ['z', '9', 'a', '10', '\u{1F600}', '\uFF61', '__proto__'];
  const sources = Object.fromEntries(ids.map((id) => [id, ENTRY]));
  const { text } = encodeDiffDeltaFeed({ ...FEED, sources });
  const places = ['10', '9', '__proto__', 'a', 'z', '\uFF61', '\u{1F600}'].map((id) =>
    text.indexOf(`${JSON.stringify(id)}:{"status"`),
  );
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(places).toEqual([...places].sort((left, right) => left - right));
});

clause('DD-O3', 'every bucket is sorted by time of publication, then source, then id', () => {
  const sorted = [
    itemOf('z', '2026-02-05T12:00:00Z'),
    itemOf('b', '2026-02-05T12:00:00.250Z', 'api'),
    itemOf('a', '2026-02-05T12:00:00.250Z'),
    itemOf('b', '2026-02-05T13:00:00.250+01:00'),
    itemOf('\uFF61', '2026-02-05T12:00:00.250Z'),
    itemOf('\u{1F600}', '2026-02-05T12:00:00.250Z'),
    itemOf('a', '2026-02-05T12:00:01Z'),
    itemOf('c', '1 May'),
    itemOf('b', 'last week'),
    itemOf('a', 'yesterday'),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(sorted, { minLength: sorted.length }), (items) => {
      expect(inServedOrder(items)).toEqual(sorted);
      for (const bucket of ['new', 'updated', 'removed', 'flagged']) {
        const { text } = encodeDiffDeltaFeed({ ...FEED, buckets: { ...FEED.buckets, [bucket]: items } });
        expect(JSON.parse(text).buckets[bucket]).toEqual(sorted);
      }
    }),
    { numRuns: 30 },
  );
});

test('what is encoded is decoded without complaint', () => {
  const feed = { ...FEED, buckets: { ...FEED.buckets, new: [itemOf('a')] } };
  const decoded = decodeDiffDeltaFeed(encodeDiffDeltaFeed(feed).text);
  expect(decoded).toMatchObject({ ok: true, value: { cursor: HASH, buckets: { new: [itemOf('a')] }, issues: [] } });
  const head = {
    cursor: HASH,
    prev_cursor: null,
    changed: true,
    generated_at: FEED.generated_at,
    ttl_sec: 60,
    latest_url: '/l',
  };
  expect(decodeHead(encodeHead(head))).toEqual({ ok: true, value: { ...head, issues: [] } });
});
