import { describe, expect, test } from 'vitest';
import {
  afterReading,
  fallen,
  firstOnFeed,
  firstOnPages,
  isReturning,
  LADDER_LIMITS,
  type LadderState,
  looked,
  recentFalls,
  returned,
} from './ladder.ts';

const GONE = { is: 'gone', why: 'It answered with status 404.' } as const;
const INVALID = { is: 'invalid', why: 'It is a page.' } as const;
const UNANSWERED = { is: 'unanswered', why: 'It answered with status 500.' } as const;
const WELL = { is: 'well', freshMs: 60_000 } as const;
const MINUTE = 60_000;

const onFeed = (): LadderState => afterReading(firstOnFeed('aicf', 0), WELL, 1000).state;
const onPages = (isStuck = false): LadderState =>
  fallen(onFeed(), { reason: 'gone', isStuck, atMs: 10_000, readMs: 11_000 });

describe('on the feed', () => {
  test('a good reading is remembered, and forgives what was before', () => {
    const failing = afterReading(onFeed(), UNANSWERED, 2000).state;
    expect(failing).toMatchObject({ failures: 1, failingSinceMs: 2000, lastGoodMs: 1000 });
    const { state, step } = afterReading(failing, WELL, 3000);
    expect(step).toEqual({ do: 'stay' });
    expect(state).toEqual({
      rung: 'feed',
      dialect: 'aicf',
      sinceMs: 0,
      failures: 0,
      freshMs: 60_000,
      lastGoodMs: 3000,
      turns: 0,
      falls: [],
    });
  });

  test.each([GONE, INVALID])('one that is $is is looked at again, and falls when it still is', (outcome) => {
    const first = afterReading(onFeed(), outcome, 5000);
    expect(first.step).toEqual({ do: 'look-again', afterMs: 2000 });
    const soon = afterReading(first.state, outcome, 5500);
    expect(soon.step, 'the same moment').toEqual({ do: 'look-again', afterMs: 1500 });
    expect(afterReading(first.state, outcome, 7000).step).toEqual({
      do: 'fall',
      reason: outcome.why,
      isStuck: false,
      isGone: true,
    });
    expect(afterReading(first.state, WELL, 7000)).toMatchObject({ step: { do: 'stay' }, state: { failures: 0 } });
  });

  test('one that does not answer falls at the third check in a row', () => {
    const first = afterReading(onFeed(), UNANSWERED, 2000);
    const second = afterReading(first.state, UNANSWERED, 3000);
    expect([first.step, second.step]).toEqual([{ do: 'wait' }, { do: 'wait' }]);
    expect(afterReading(second.state, UNANSWERED, 4000).step).toMatchObject({ do: 'fall' });
  });

  test('… or sooner, when that takes longer than its own rhythm allows', () => {
    const first = afterReading({ ...onFeed(), freshMs: 10 * MINUTE }, UNANSWERED, 0);
    expect(afterReading(first.state, UNANSWERED, 29 * MINUTE).step).toEqual({ do: 'wait' });
    expect(afterReading(first.state, UNANSWERED, 30 * MINUTE).step).toMatchObject({ do: 'fall' });
    const hasty = afterReading({ ...onFeed(), freshMs: 1000 }, UNANSWERED, 0);
    expect(afterReading(hasty.state, UNANSWERED, 14 * MINUTE).step, 'no less than a quarter').toEqual({ do: 'wait' });
  });

  test('one that is stuck falls at once: its silence was long enough', () => {
    expect(afterReading(onFeed(), { is: 'stuck', why: 'quiet' }, 5000).step).toEqual({
      do: 'fall',
      reason: 'quiet',
      isStuck: true,
      isGone: false,
    });
  });

  test('that it was too early to ask says nothing', () => {
    const failing = afterReading(onFeed(), UNANSWERED, 2000).state;
    expect(afterReading(failing, { is: 'unasked' }, 3000)).toEqual({ state: failing, step: { do: 'stay' } });
  });

  test('a clock that was set back does not make a feed look long lost', () => {
    const first = afterReading(onFeed(), UNANSWERED, 50 * MINUTE);
    const { state, step } = afterReading(first.state, UNANSWERED, MINUTE);
    expect(step).toEqual({ do: 'wait' });
    expect(state.failingSinceMs).toBe(MINUTE);
  });
});

describe('on the pages', () => {
  test('the fall is remembered with what it lies between', () => {
    expect(onPages()).toMatchObject({ rung: 'pages', sinceMs: 10_000, turns: 1 });
    expect(onPages().falls).toEqual([{ fromMs: 1000, atMs: 10_000, readMs: 11_000, lookedMs: 10_000 }]);
    expect(looked(onPages(), 15_000).falls).toMatchObject([{ atMs: 10_000, lookedMs: 15_000 }]);
  });

  test('a feed that is still broken changes nothing but the count', () => {
    const { state, step } = afterReading(onPages(), GONE, 20_000);
    expect(step).toEqual({ do: 'stay' });
    expect(state).toMatchObject({ rung: 'pages', failures: 1 });
  });

  test('the first good reading of the feed ends the fall, and counts as read when it is over', () => {
    const { state, step } = afterReading(onPages(), WELL, 20_000);
    expect(step).toEqual({ do: 'return' });
    expect(state.lastGoodMs).toBe(1000);
    const back = returned(looked(state, 19_000), 'aicf', 20_000);
    expect(back).toMatchObject({
      rung: 'feed',
      sinceMs: 20_000,
      turns: 2,
      falls: [{ atMs: 10_000, lookedMs: 19_000 }],
    });
    expect(back).not.toHaveProperty('reason');
    expect([state, back].map(isReturning)).toEqual([false, true]);
    expect(isReturning(afterReading(back, WELL, 20_000).state)).toBe(false);
  });

  test('one that was stuck has to tell something new', () => {
    const stuck = onPages(true);
    expect(afterReading(stuck, WELL, 20_000)).toMatchObject({ step: { do: 'stay' }, state: { isStuck: true } });
    expect(afterReading(stuck, { ...WELL, hasNews: true }, 20_000).step).toEqual({ do: 'return' });
    const again = returned(stuck, 'aicf', 20_000);
    expect(again).not.toHaveProperty('isStuck');
  });

  test('a site without any feed stands there from its beginning', () => {
    const state = firstOnPages(5000, 6000);
    expect(state).toMatchObject({
      rung: 'pages',
      sinceMs: 5000,
      falls: [{ atMs: 5000, readMs: 6000, lookedMs: 5000 }],
    });
    expect(afterReading(state, WELL, 9000).step).toEqual({ do: 'return' });
  });
});

test('falls are remembered for a week behind their last look, and twenty at most', () => {
  let state = onFeed();
  for (let round = 0; round < 30; round += 1) {
    const atMs = round * MINUTE;
    state = returned(fallen(state, { reason: 'gone', isStuck: false, atMs, readMs: atMs }), 'aicf', atMs + 2000);
  }
  expect(state.falls).toHaveLength(20);
  expect(state.turns).toBe(60);
  expect(recentFalls(state, LADDER_LIMITS.rememberMs + 25 * MINUTE)).toHaveLength(4);
});

test('a state is plain JSON', () => {
  const state = returned(onPages(true), 'aicf', 2);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});
