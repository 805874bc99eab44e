import { expect, test } from 'vitest';
import { encodeDiffDeltaFeed } from '../../../codecs/diffdelta/encode.ts';
import { type ArchiveEntry, decodeArchiveIndex, encodeArchiveIndex } from './archive-index.ts';
import { emptyFeed } from './make-feed.ts';
import { readOwnFeed } from './read-own-feed.ts';

const cursor = (digit: string) => `sha256:${digit.repeat(64)}`;
const entry = (digit: string, before: string | null): ArchiveEntry => ({
  url: `/archive/docs/2026/02/05/20260205T120000Z_${digit.repeat(12)}.json`,
  cursor: cursor(digit),
  prev_cursor: before,
  generated_at: '2026-02-05T12:00:00.250Z',
  hash: cursor('f'),
  prev_hash: before === null ? null : cursor('e'),
  bytes: 700,
});
const ENTRIES = [entry('a', null), entry('b', cursor('a'))];
const decode = (text: string) => decodeArchiveIndex(text, { name: 'docs', root: '/' });

test('an index reads as it was written, and lines are only added', () => {
  expect(decode(encodeArchiveIndex([]))).toEqual([]);
  expect(decode(encodeArchiveIndex(ENTRIES))).toEqual(ENTRIES);
  const shorter = encodeArchiveIndex(ENTRIES.slice(0, 1)).split('\n').slice(0, 2).join('\n');
  expect(encodeArchiveIndex(ENTRIES).startsWith(shorter)).toBe(true);
});

test.each<readonly [string, unknown]>([
  ['no JSON', undefined],
  ['null', null],
  ['a list', []],
  ['an entry that is null', { archives: [null] }],
  ['a path that climbs', { archives: [{ ...entry('a', null), url: '/archive/docs/../../etc/passwd' }] }],
  [
    'a path of another feed',
    { archives: [{ ...entry('a', null), url: entry('a', null).url.replace('docs', 'other') }] },
  ],
  ['another origin', { archives: [{ ...entry('a', null), url: `https://evil.example${entry('a', null).url}` }] }],
  ['a cursor that is none', { archives: [{ ...entry('a', null), cursor: 'sha256:A' }] }],
  ['a hole in the chain', { archives: [entry('a', null), entry('c', cursor('b'))] }],
  ['a time that is none', { archives: [{ ...entry('a', null), generated_at: 'now' }] }],
  ['a hash that is none', { archives: [{ ...entry('a', null), hash: null }] }],
  ['an earlier hash that is none', { archives: [{ ...entry('a', null), prev_hash: 'x' }] }],
  ['no size', { archives: [{ ...entry('a', null), bytes: undefined }] }],
  ['a size that is none', { archives: [{ ...entry('a', null), bytes: 0.5 }] }],
])('%s is no index', (_, value) => {
  expect(decode(value === undefined ? '{"archives":[' : JSON.stringify(value))).toBeUndefined();
});

test('a feed of ours is read again byte for byte; one that was altered, or is not ours, is not', () => {
  const made = emptyFeed({ name: 'docs', root: '/', ttlSec: 300, atMs: 0, sources: {} });
  const feed = readOwnFeed(Buffer.from(made.latestText));
  expect(feed).toEqual(made.feed);
  expect(encodeDiffDeltaFeed(feed ?? made.feed).text).toBe(made.latestText);
  for (const text of [
    '',
    '{}',
    made.latestText.slice(0, -2),
    made.latestText.replace('"changed":false', '"changed":true'),
    made.latestText.replace(/^\{"hash":"[^"]*",/, '{'),
  ]) {
    expect(readOwnFeed(Buffer.from(text))).toBeUndefined();
  }
});
