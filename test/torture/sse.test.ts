import { expect, test } from 'vitest';
import { shortOrLong } from '../support/short-or-long.ts';
import { describeReport, passed } from './harness.ts';
import { tortureSse } from './sse.ts';

test('streams that are cut at random lose nothing and double nothing, and a restored backup is told once', async () => {
  const report = await tortureSse({ rounds: shortOrLong(60, 1000), seed: 1 });
  expect(passed(report), describeReport(report)).toBe(true);
  expect(report.hits).toBeGreaterThan(report.rounds / 10);
});
