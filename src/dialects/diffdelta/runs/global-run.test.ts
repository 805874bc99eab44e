import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { changeOf } from '../../../../test/support/change-of.ts';
import type { Buckets, DiffDeltaFeed, SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import { globalBuckets, sourcesOf } from './global-run.ts';
import { bucketsOf, itemsOf } from './make-feed.ts';
import { globalRunFeed, runEntry, unchangedEntry } from './run-feeds.ts';
import { itemsOfRun } from './run-items.ts';

const timeOf = (minute: number) => `2026-02-05T12:${`${minute}`.padStart(2, '0')}:00Z`;
const itemsOfPages = (source: string, minute: number, pages: number) =>
  itemsOfRun(
    Array.from({ length: pages }, (_, page) =>
      changeOf({ source, time: timeOf(minute), url: `https://${source}.example/${page}` }),
    ),
    () => undefined,
  );
const runOf = (source: string, minute: number, pages: number) => bucketsOf(itemsOfPages(source, minute, pages));
const sizes = (buckets: Buckets) =>
  Object.fromEntries(
    [...sourcesOf(buckets)].sort().map((id) => [id, itemsOf(buckets).filter(({ source }) => source === id).length]),
  );

clause(['DD-R6', 'DD-O1'], 'the feed of all sources holds the last runs of all, and names those', () => {
  let served: DiffDeltaFeed | undefined;
  const entries = new Map<string, SourceEntry>();
  for (const [minute, source] of ['z', 'a', 'm'].entries()) {
    const items = itemsOfPages(source, minute, 1);
    const facts = { source, time: timeOf(minute), items, root: '/', ttlSec: 300, facts: { status: 'ok' as const } };
    const entry = runEntry(facts, { cursor: `sha256:${`${minute}`.repeat(64)}`, prevCursor: null });
    served = globalRunFeed({ ...facts, entry, entryOfOther: (id) => entries.get(id) }, served).feed;
    entries.set(source, unchangedEntry(entry));
  }
  expect(served?.sources_included).toEqual(['a', 'm', 'z']);
  expect(served).not.toHaveProperty('source_id');
  expect(served?.archive_url).toMatch(/^\/archive\/_global\/2026\/02\/05\//);
  expect(served?.batch_narrative).toBe('m: 1 new.');
  expect(served?.buckets.new.map(({ source }) => source)).toEqual(['z', 'a', 'm']);
  expect(served?.sources).toMatchObject({ a: { changed: false }, m: { changed: true }, z: { changed: false } });
});

test('a run takes the place of the run of its source before', () => {
  const before = globalBuckets(runOf('a', 1, 3), 'b', runOf('b', 2, 2));
  expect(sizes(globalBuckets(before, 'a', runOf('a', 3, 1)))).toEqual({ a: 1, b: 2 });
});

test('of the other sources those stay that changed last, as long as all items are no more than 100', () => {
  const sizesOf = (...runs: readonly (readonly [id: string, minute: number, pages: number])[]) => {
    let buckets: Buckets | undefined;
    for (const [id, minute, pages] of runs) buckets = globalBuckets(buckets, id, runOf(id, minute, pages));
    return buckets && sizes(buckets);
  };
  expect(sizesOf(['a', 1, 40], ['b', 2, 30], ['c', 3, 30])).toEqual({ a: 40, b: 30, c: 30 });
  expect(sizesOf(['a', 1, 40], ['b', 2, 30], ['c', 3, 31])).toEqual({ b: 30, c: 31 });
  // The oldest would fit, but what is older than something left out is left out, too.
  expect(sizesOf(['a', 1, 1], ['b', 2, 90], ['c', 3, 20])).toEqual({ c: 20 });
  expect(sizesOf(['a', 1, 1], ['b', 2, 101])).toEqual({ b: 101 });
});

test('long items of other sources are left out sooner', () => {
  const long = (source: string, minute: number) => {
    const change = changeOf({
      source,
      time: timeOf(minute),
      url: `https://${source}.example/`,
      excerpt: 'x'.repeat(20_000),
    });
    return bucketsOf(itemsOfRun([change], () => undefined));
  };
  let buckets: Buckets | undefined;
  for (const [minute, id] of ['a', 'b', 'c', 'd'].entries()) buckets = globalBuckets(buckets, id, long(id, minute));
  expect(buckets && sizes(buckets)).toEqual({ b: 1, c: 1, d: 1 });
});

test('sources that changed at one time stay by their id, not by the order in which they came', () => {
  const one = globalBuckets(globalBuckets(runOf('a', 1, 60), 'b', runOf('b', 1, 40)), 'c', runOf('c', 2, 1));
  const other = globalBuckets(globalBuckets(runOf('b', 1, 40), 'a', runOf('a', 1, 60)), 'c', runOf('c', 2, 1));
  expect(sizes(one)).toEqual({ a: 60, c: 1 });
  expect(other).toEqual(one);
});
