import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { type FeedFile, feedText, rotateFeed } from './feed-file.ts';

const pathOf = (number: number) => `feed-${number}`;
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `${String(index + 1).padStart(9, '0')}\n`); // ten bytes each

test('without a limit there is one file', () => {
  expect(rotateFeed([], linesOf(500), 0, { pathOf })).toEqual([{ path: 'feed-1', first: 1 }]);
});

clause(['AICF-P4', 'AICF-P6'], 'a file over the limit is closed and the next one repeats its last lines', () => {
  const files = rotateFeed([], linesOf(11), 0, { rotateBytes: 80, pathOf });
  expect(files).toEqual([
    { path: 'feed-1', first: 1, last: 8 },
    { path: 'feed-2', first: 5 },
  ]);
  expect(feedText(files[1] as FeedFile, linesOf(11)).startsWith('000000005\n')).toBe(true);
});

clause(['AICF-P1', 'AICF-F2'], 'files only grow, whatever the limit is and becomes', () => {
  const limits = [undefined, 30, 80, 15, undefined, 200, 1];
  let files: FeedFile[] = [];
  let texts = new Map<string, string>();
  let published = 0;
  for (const [round, rotateBytes] of limits.entries()) {
    const log = linesOf(published + 3 + round);
    files = rotateFeed(files, log, published, { rotateBytes, pathOf });
    const next = new Map(files.map((file) => [file.path, feedText(file, log)]));
    for (const [path, text] of texts) expect(next.get(path)?.startsWith(text)).toBe(true);
    texts = next;
    published = log.length;
  }
  const lines = new Set([...texts.values()].join('').split('\n'));
  expect(lines.size - 1).toBe(published);
  expect(files.length).toBeGreaterThan(3);
});

test('a limit smaller than a line gives one own line a file', () => {
  const files = rotateFeed([], linesOf(3), 0, { rotateBytes: 1, pathOf });
  expect(files).toEqual([
    { path: 'feed-1', first: 1, last: 1 },
    { path: 'feed-2', first: 1, last: 2 },
    { path: 'feed-3', first: 2 },
  ]);
});
