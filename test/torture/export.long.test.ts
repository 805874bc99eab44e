import { expect, test } from 'vitest';
import { shortOrLong } from '../support/short-or-long.ts';
import { tortureExport } from './export.ts';
import { plantHeadsFirst } from './export-defect.ts';
import { passed } from './harness.ts';

test('an export that is killed leaves no head that names a missing file', { timeout: 300_000 }, async () => {
  const report = await tortureExport({ rounds: shortOrLong(5, 15), seed: 7 });
  expect(report.complaints).toEqual([]);
  expect(report.wrong).toEqual({ 'addresses without a file': 0, torn: 0, changed: 0, 'nothing to follow': 0 });
  expect(passed(report)).toBe(true);
});

test('the reader finds the defect that heads are written first', { timeout: 300_000 }, async () => {
  using planted = plantHeadsFirst();
  const { wrong } = await tortureExport({ rounds: 5, seed: 7, dist: planted.dist });
  expect(wrong['addresses without a file']).toBeGreaterThan(0);
});
