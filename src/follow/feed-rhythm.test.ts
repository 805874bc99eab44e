import { expect, test } from 'vitest';
import { rhythmAfter, stuckSince } from './feed-rhythm.ts';
import { firstOnFeed } from './ladder.ts';
import type { FollowLadder } from './ladder-at.ts';

const HOUR = 3600_000;

/** A feed that told something every hour, eight times. */
function hourly(): FollowLadder {
  let ladder: FollowLadder = firstOnFeed('aicf', 0);
  for (let hour = 1; hour <= 8; hour += 1) ladder = { ...ladder, ...rhythmAfter(ladder, 3, hour * HOUR) };
  return ladder;
}

test('polls that found something make the rhythm, and those that did not leave it', () => {
  const ladder = hourly();
  expect(ladder).toMatchObject({ changeGapsMs: Array.from({ length: 7 }, () => HOUR), lastChangeMs: 8 * HOUR });
  expect(rhythmAfter(ladder, 0, 9 * HOUR)).toEqual({ changeGapsMs: ladder.changeGapsMs, lastChangeMs: 8 * HOUR });
  let long = ladder;
  for (let hour = 9; hour < 60; hour += 1) long = { ...long, ...rhythmAfter(long, 1, hour * HOUR) };
  expect(long.changeGapsMs).toHaveLength(20);
});

test('a feed is stuck when it is silent for longer than its rhythm allows, and its pages were not asked of late', () => {
  const ladder = hourly();
  const day = 24 * HOUR;
  expect(stuckSince(ladder, 8 * HOUR + 2 * HOUR)).toBeUndefined();
  expect(stuckSince(ladder, 8 * HOUR + day)).toMatch(/^It has told nothing since 1970-01-01T08:00:00Z/);
  expect(stuckSince({ ...ladder, calmMs: 8 * HOUR + day }, 8 * HOUR + day + HOUR)).toBeUndefined();
  expect(stuckSince(firstOnFeed('aicf', 0), 100 * day)).toBeUndefined();
});
