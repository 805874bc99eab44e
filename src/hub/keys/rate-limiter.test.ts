import { expect, test } from 'vitest';
import { createRateLimiter, type RateLimiterOptions } from './rate-limiter.ts';

const NOON = Date.parse('2026-03-01T12:00:00.250Z');

function lab(options: Partial<RateLimiterOptions> = {}) {
  const time = { nowMs: NOON };
  return { time, limiter: createRateLimiter({ now: () => time.nowMs, ...options }) };
}

test('a window begins with the first request, lasts a minute, and lets through exactly the limit', () => {
  const { time, limiter } = lab();
  const reset = Math.ceil((NOON + 60_000) / 1000);
  expect(limiter.take('a', 3)).toEqual({
    isAllowed: true,
    limit: 3,
    remaining: 2,
    leftMs: 60_000,
    resetSeconds: reset,
  });
  time.nowMs += 59_999;
  expect(limiter.take('a', 3)).toMatchObject({ isAllowed: true, remaining: 1, leftMs: 1, resetSeconds: reset });
  expect(limiter.take('a', 3)).toMatchObject({ isAllowed: true, remaining: 0 });
  expect(limiter.take('a', 3)).toMatchObject({ isAllowed: false, remaining: 0, leftMs: 1, resetSeconds: reset });
  expect(limiter.take('b', 3), 'another client').toMatchObject({ isAllowed: true, remaining: 2 });
  time.nowMs += 1;
  expect(limiter.take('a', 3)).toMatchObject({ isAllowed: true, remaining: 2, leftMs: 60_000 });
});

test('asking in vain does not prolong the wait', () => {
  const { time, limiter } = lab();
  for (let second = 0; second < 60; second++) {
    limiter.take('a', 1);
    time.nowMs += 1000;
  }
  expect(limiter.take('a', 1).isAllowed).toBe(true);
});

test('looking counts nothing', () => {
  const { limiter } = lab();
  expect(limiter.look('a', 2)).toMatchObject({ isAllowed: true, remaining: 2, leftMs: 60_000 });
  limiter.take('a', 2);
  expect(limiter.look('a', 2)).toEqual(limiter.look('a', 2));
  expect(limiter.look('a', 2)).toMatchObject({ remaining: 1 });
});

test('a clock that steps back locks nobody out and frees nobody; one that jumps ahead ends windows', () => {
  const { time, limiter } = lab();
  limiter.take('a', 2);
  time.nowMs += 20_000;
  limiter.take('a', 2);
  time.nowMs -= 3600_000;
  expect(limiter.take('a', 2)).toMatchObject({
    isAllowed: false,
    leftMs: 40_000,
    resetSeconds: Math.ceil((time.nowMs + 40_000) / 1000),
  });
  expect(limiter.take('b', 2), 'one that comes then').toMatchObject({ leftMs: 60_000 });
  time.nowMs += 40_000;
  expect(limiter.take('a', 2).isAllowed).toBe(true);
  time.nowMs += 86_400_000;
  expect(limiter.take('b', 1).isAllowed).toBe(true);
});

test('what was counted goes over to another name', () => {
  const { limiter } = lab();
  limiter.take('old', 2);
  limiter.take('old', 2);
  limiter.move('old', 'new');
  expect(limiter.take('new', 2).isAllowed).toBe(false);
  expect(limiter.look('old', 2).remaining).toBe(2);
  limiter.move('nobody', 'new');
  expect(limiter.take('new', 2).isAllowed).toBe(false);
});

test('what went over to another name is forgotten in its turn', () => {
  const { limiter } = lab({ most: 10 });
  limiter.take('old', 1);
  limiter.move('old', 'new');
  for (let at = 0; at < 10; at++) limiter.take(`flood ${at}`, 1);
  expect(limiter.look('new', 1).remaining).toBe(1);
  expect(limiter.look('flood 0', 1).remaining).toBe(0);
});

test('a flood of clients makes the oldest forgotten, says so once a minute, and resets nobody else', () => {
  let said = 0;
  const { time, limiter } = lab({ most: 100, onCrowded: () => said++ });
  limiter.take('early', 1);
  time.nowMs += 1;
  limiter.take('late', 1);
  for (let at = 0; at < 99; at++) limiter.take(`flood ${at}`, 1);
  expect(said).toBe(1);
  expect(limiter.look('early', 1).remaining, 'the oldest').toBe(1);
  expect(limiter.take('late', 1).isAllowed, 'the second').toBe(false);
  for (let at = 0; at < 50; at++) limiter.take(`more ${at}`, 1);
  expect(said).toBe(1);
  time.nowMs += 60_000;
  for (let at = 0; at < 100; at++) limiter.take(`next ${at}`, 1);
  expect(said, 'those that have ended make room').toBe(1);
  for (let at = 0; at < 100; at++) expect(limiter.take(`next ${at}`, 1).isAllowed).toBe(false);
});
