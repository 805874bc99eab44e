import { expect, test } from 'vitest';
import { afterLook, afterPush, floorMs, isTrusted, UNTRIED } from './push-trust.ts';

const MINUTE = 60_000;
const look = (startedMs: number, changes: number) => ({
  startedMs,
  endedMs: startedMs + 100,
  hasNews: changes > 0,
  wasActive: true,
});

test('who cries wolf is heard ever less often, up to a quarter of an hour, until there is news', () => {
  let trust = UNTRIED;
  const floors: number[] = [];
  for (let round = 1; round <= 9; round += 1) {
    trust = afterLook(afterPush(trust, round * MINUTE), look(round * MINUTE + 1, 0));
    floors.push(floorMs(trust, { allowPrivate: false }) / 1000);
  }
  expect(floors).toEqual([20, 40, 80, 160, 320, 640, 900, 900, 900]);
  expect(isTrusted(trust)).toBe(false);
  trust = afterLook(afterPush(trust, 60 * MINUTE), look(60 * MINUTE + 1, 2));
  expect([floorMs(trust, { allowPrivate: false }), isTrusted(trust)]).toEqual([10_000, true]);
});

test('a push during a look is followed by another one; what the look found was told', () => {
  const during = afterPush(UNTRIED, 50);
  const found = afterLook(during, look(0, 1));
  expect(found).toMatchObject({ unservedMs: 50, misses: 0, lastNewsMs: 100 });
  expect(afterLook(found, look(200, 0))).toMatchObject({ fruitless: 1 });
  expect(afterLook(found, look(200, 0))).not.toHaveProperty('unservedMs');
});

test('news that nobody had to tell of are no miss, and a doubt becomes one when no push has come in ten minutes', () => {
  expect(afterLook(UNTRIED, { ...look(0, 3), wasActive: false })).toEqual(UNTRIED);
  const doubt = afterLook(UNTRIED, look(0, 1));
  expect(doubt).toMatchObject({ misses: 0, suspectMs: 100 });
  expect(afterLook(doubt, look(11 * MINUTE, 0))).toMatchObject({ misses: 1 });
  expect(afterPush(doubt, 12 * MINUTE)).toMatchObject({ misses: 1 });
  expect(afterPush(doubt, 5 * MINUTE)).toMatchObject({ misses: 0 });
});
