import { expect, test } from 'vitest';
import { shortOrLong } from '../support/short-or-long.ts';
import { describeSync, tortureSync } from './sync.ts';

test('an index stays equal to seven sites, whenever its sync is killed', async () => {
  const report = await tortureSync({
    edits: shortOrLong(5, 25),
    kills: shortOrLong(1, 10),
    indexes: shortOrLong(['sqlite'], ['dir', 'sqlite', 'postgres']),
  });
  expect(
    Object.values(report.wrong).every((count) => count === 0),
    describeSync(report),
  ).toBe(true);
  expect(report.observations).toBeGreaterThan(0);
  expect(report.embedded).toBeGreaterThan(100);
}, 600_000);
