import { expect, test } from 'vitest';
import { shortOrLong } from '../support/short-or-long.ts';
import { describeReport } from './harness.ts';
import { tortureWebSub } from './websub.ts';

test('a hub that is killed while it delivers loses no state for those who take it, whoever else fails', async () => {
  const report = await tortureWebSub({ rounds: shortOrLong(1, 30), subscribers: shortOrLong(15, 50), seed: 1 });
  expect(Object.values(report.wrong), describeReport(report)).toEqual(Object.values(report.wrong).map(() => 0));
});
