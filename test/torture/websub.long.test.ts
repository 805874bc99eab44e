import { expect, test } from 'vitest';
import { shortOrLong } from '../support/short-or-long.ts';
import { describeReport } from './harness.ts';
import { tortureWebSub } from './websub.ts';

test('a hub that is killed while it delivers loses no state for those who take it, whoever else fails', async () => {
  const size = shortOrLong({ rounds: 1, subscribers: 15, edits: 1 }, { rounds: 15, subscribers: 50, edits: 5 });
  const report = await tortureWebSub({ ...size, seed: 1 });
  expect(Object.values(report.wrong), describeReport(report)).toEqual(Object.values(report.wrong).map(() => 0));
});
