import { expect, test } from 'vitest';
import { sha256Name } from '../../../codecs/diffdelta/cursor.ts';
import { readOwnFeed } from './read-own-feed.ts';

const ITEM = {
  source: 'docs',
  id: 'https://docs.example/a',
  url: 'https://docs.example/a',
  published_at: '2026-02-05T12:00:00.000Z',
  provenance: { content_hash: sha256Name('a'), fetched_at: '2026-02-05T12:00:00.000Z' },
};
const FEED = {
  generated_at: '2026-02-05T12:00:00.000Z',
  cursor: sha256Name('run'),
  buckets: { new: [ITEM], updated: [], removed: [], flagged: [] },
  sources: { docs: { status: 'ok' } },
};

/** With the hash that belongs to it, as anybody can make it. */
function sealed(feed: unknown): Uint8Array {
  const body = `${JSON.stringify(feed).slice(1)}\n`;
  return Buffer.from(`{"hash":"${sha256Name(`{${body}`)}",${body}`);
}

test('reads what has the hash that stands in it', () => {
  expect(readOwnFeed(sealed(FEED))).toMatchObject(FEED);
});

test('one altered byte makes it another file', () => {
  const text = Buffer.from(sealed(FEED)).toString().replace('docs.example/a', 'docs.example/b');
  expect(readOwnFeed(Buffer.from(text))).toBeUndefined();
});

test.each([
  ['no sources', { ...FEED, sources: null }],
  ['a list of sources', { ...FEED, sources: [] }],
  ['a source without facts', { ...FEED, sources: { docs: null } }],
  ['no buckets', { ...FEED, buckets: undefined }],
  ['a bucket that is no list', { ...FEED, buckets: { ...FEED.buckets, removed: {} } }],
  ['no item in a bucket', { ...FEED, buckets: { ...FEED.buckets, flagged: [null] } }],
  ['an item without provenance', { ...FEED, buckets: { ...FEED.buckets, new: [{ ...ITEM, provenance: null }] } }],
  ['an item without a source', { ...FEED, buckets: { ...FEED.buckets, new: [{ ...ITEM, source: 5 }] } }],
  ['a time that is none', { ...FEED, generated_at: '2026' }],
  ['a cursor that is none', { ...FEED, cursor: 'sha256:0' }],
])('a right hash does not make a feed of %s', (_, feed) => {
  expect(readOwnFeed(sealed(feed))).toBeUndefined();
});
