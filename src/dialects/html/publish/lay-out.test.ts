import { expect, test } from 'vitest';
import { changeOf } from '../../../../test/support/change-of.ts';
import { type Run, runsOf } from '../../../log/runs-of.ts';
import { layOutRuns } from './lay-out.ts';

const LIMITS = { pageChanges: 6, maxOlder: 3 };

/** Runs of so many changes each. */
function runs(...sizes: readonly number[]): readonly Run[] {
  const times = sizes.map((_, at) => new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString());
  return runsOf(
    sizes.flatMap((size, at) =>
      Array.from({ length: size }, (_, each) =>
        changeOf({ url: `https://docs.example/${at}-${each}`, time: times[at] ?? '' }),
      ),
    ),
  );
}

function shape(all: readonly Run[]) {
  const { newest, older, left } = layOutRuns(all, LIMITS);
  return {
    newest: newest.map(({ number }) => number),
    older: older.map(({ page, runs: own }) => [page, ...own.map(({ number }) => number)]),
    left,
  };
}

test('few runs are on one page, and the first counts as one change however many pages it had', () => {
  expect(shape([])).toEqual({ newest: [], older: [], left: 0 });
  expect(shape(runs(500, 1, 1))).toEqual({ newest: [0, 1, 2], older: [], left: 0 });
});

test('a page that is full stays as it is whatever comes behind it, and the newest one is never nearly empty', () => {
  const sizes = [9, ...Array.from({ length: 30 }, () => 2)];
  const seen = new Map<number, string>();
  for (let count = 1; count <= sizes.length; count += 1) {
    const { newest, older } = shape(runs(...sizes.slice(0, count)));
    for (const [page = 0, ...own] of older) {
      expect(seen.get(page) ?? String(own)).toBe(String(own));
      seen.set(page, String(own));
    }
    expect(newest.length).toBeGreaterThanOrEqual(Math.min(count, 2));
  }
  expect(seen.size).toBeGreaterThan(5);
});

test('pages end: what is on none any more is counted', () => {
  const all = runs(9, ...Array.from({ length: 30 }, () => 2));
  const { older, left, newest } = shape(all);
  expect(older).toHaveLength(3);
  expect(left).toBe(older[0]?.[1]);
  expect(older.flatMap(([, ...own]) => own).length + newest.length + left).toBe(all.length);
});
