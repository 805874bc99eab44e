import { expect, test } from 'vitest';
import { describeReport, passed } from './harness.ts';
import { Random } from './hub-random.ts';
import { tortureTlogHub } from './tlog-hub.ts';
import { tortureTlogHubMutations } from './tlog-hub-mutations.ts';

test.for([1, 2] as const)(
  'a hub with %i writers of its provable log is killed at its writes, and no head is ever signed twice',
  async (writers) => {
    const report = await tortureTlogHub({ rounds: 12, writers });
    expect(passed(report), describeReport(report)).toBe(true);
  },
);

test('a log that signs before it stores is found out', async () => {
  const report = await tortureTlogHub({ rounds: 25, writers: 1, flaw: 'sign-first' });
  expect(report.wrong.forks ?? 0).toBeGreaterThan(0);
});

test('what is altered in the data folder of a hub is found', async () => {
  const report = await tortureTlogHubMutations(30, chances());
  expect(passed(report), describeReport(report)).toBe(true);
});

function chances(): () => number {
  const random = new Random(7);
  return () => random.fraction();
}
