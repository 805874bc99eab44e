import { expect, test } from 'vitest';
import { showCrawlStatus, statusLine } from './crawl-status.ts';

test.each([
  [{ done: 0, known: 0, elapsedMs: 3000 }, 'looking for pages: 3 s'],
  [{ done: 10, known: 40, elapsedMs: 20_000 }, 'reading pages: 10 of 40 known, 20 s, about 60 s left'],
  [{ done: 100, known: 10_000, elapsedMs: 200_000 }, 'reading pages: 100 of 10000 known, 3 min, about 5.5 h left'],
  [{ done: 40, known: 40, elapsedMs: 80_000 }, 'reading pages: 40 of 40 known, 80 s'],
])('says how far it is: %j', (reading, line) => {
  expect(statusLine(reading)).toBe(line);
});

test('the line is there from the start and cleared at the end', () => {
  const lines: string[] = [];
  const world = {
    status: (line: string) => void lines.push(line),
    print: async () => {},
    complain: () => {},
    env: {},
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
  };
  let clock = 0;
  {
    using status = showCrawlStatus(world, () => clock);
    clock = 4000;
    status.progress(2, 4);
  }
  expect(lines).toEqual(['looking for pages: 0 s', 'reading pages: 2 of 4 known, 4 s, about 4 s left', '']);
});
