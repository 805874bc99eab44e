import { expect, test } from 'vitest';
import { WEBSUB_TRIES, websubRetryMs } from './websub-retry.ts';

const HOUR_MS = 3_600_000;

test('ten tries lie within a day, the second soon, each further behind the one before', () => {
  for (const random of [0, 0.5, 0.999]) {
    const delays = Array.from({ length: WEBSUB_TRIES - 1 }, (_, at) => websubRetryMs(at + 1, random));
    expect(delays[0]).toBeLessThanOrEqual(12_000);
    expect(delays).toEqual(delays.toSorted((left, right) => left - right));
    const allMs = delays.reduce((sum, ms) => sum + ms, 0);
    expect(allMs).toBeGreaterThan(16 * HOUR_MS);
    expect(allMs).toBeLessThan(26 * HOUR_MS);
  }
});

test('a subscriber that asks for time gets it, up to six hours', () => {
  expect(websubRetryMs(1, 0.5, 60_000)).toBe(60_000);
  expect(websubRetryMs(1, 0.5, 5)).toBe(10_000);
  expect(websubRetryMs(1, 0.5, 100 * HOUR_MS)).toBe(6 * HOUR_MS);
});
