import { expect, test } from 'vitest';
import type { FeedChange } from '../dialects/feed-change.ts';
import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import { wholePagesFirst } from './whole-pages-first.ts';

const changeOf = (id: string, url: string, anchor?: string): FeedChange => ({
  id,
  action: 'update',
  url,
  ...(anchor !== undefined && { anchor, checksum: 'of the section' }),
  provenance: { by: 'pages', pageChecksum: 'of the page' },
});

async function* batches(...parts: readonly FeedChange[][]): AsyncGenerator<Batch, ReadingEnd> {
  for (const changes of parts) yield { entry: 'e', id: 'i', changes };
  return {};
}

test('the first change of a page of which nothing was told is one of the whole page, over batches, and the next ones are in it', async () => {
  const told: string[] = [];
  const all = batches(
    [changeOf('1', 'a', 'one'), changeOf('2', 'a', 'two'), changeOf('3', 'b', 'one')],
    [changeOf('4', 'a', 'three'), changeOf('5', 'c', 'one'), changeOf('6', 'd')],
  );
  for await (const { changes } of wholePagesFirst(all, async () => new Set(['b']))) {
    for (const { id, anchor, isTold, note, checksum } of changes) {
      told.push([id, anchor ?? 'page', isTold ? 'told' : 'new', note, checksum].filter(Boolean).join(' '));
    }
  }
  expect(told).toEqual([
    '1 page new re-read of the page',
    '2 two told of the section',
    '3 one new of the section',
    '4 three told of the section',
    '5 page new re-read of the page',
    '6 page new',
  ]);
});
