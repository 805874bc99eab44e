import { expect, test } from 'vitest';
import { type SizeSample, storageStatus, withSample } from './storage-growth.ts';

const DAY = 86_400_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');

test('a sample a day is kept, of the last month', () => {
  let samples: readonly SizeSample[] = [];
  for (let hour = 0; hour < 24 * 40; hour += 1) {
    samples = withSample(samples, { atMs: NOON + hour * 3600_000, bytes: hour });
  }
  expect(samples).toHaveLength(31);
  expect(samples.at(-1)).toEqual({ atMs: NOON + 39 * DAY, bytes: 39 * 24 });
  expect(withSample(samples, { atMs: NOON, bytes: 1 }), 'the clock was set back').toEqual([{ atMs: NOON, bytes: 1 }]);
});

test('how fast it grows is known after a day, and when the disk is full follows from it', () => {
  const now = { atMs: NOON + 10 * DAY, bytes: 2000, freeBytes: 5000 };
  expect(storageStatus([], now)).toEqual({ bytes: 2000, free_bytes: 5000 });
  expect(storageStatus([{ atMs: now.atMs - DAY + 1, bytes: 0 }], now)).toEqual({ bytes: 2000, free_bytes: 5000 });
  expect(storageStatus([{ atMs: NOON, bytes: 1000 }], now)).toEqual({
    bytes: 2000,
    free_bytes: 5000,
    bytes_per_day: 100,
    full_at: new Date(now.atMs + 50 * DAY).toISOString(),
  });
  expect(storageStatus([{ atMs: NOON, bytes: 3000 }], now)).toEqual({
    bytes: 2000,
    free_bytes: 5000,
    bytes_per_day: -100,
  });
});
