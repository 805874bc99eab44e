import { expect, test } from 'vitest';
import { clause } from '../clause.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { describeReport, passed } from './harness.ts';
import { describeMutations, tortureTlogMutations } from './tlog-mutations.ts';
import { tortureTlogPublish } from './tlog-publish.ts';
import { describeRedactions, tortureTlogRedactions } from './tlog-redactions.ts';

clause(
  ['TL-C8', 'TL-T14'],
  'a provable log is never forked and never covers what is not there, whenever its publisher is killed',
  async () => {
    const report = await tortureTlogPublish(shortOrLong(6, 20));
    expect(passed(report), describeReport(report)).toBe(true);
  },
);

test('whatever is altered in a published folder is found by fsck', { timeout: 300_000 }, async () => {
  const report = await tortureTlogMutations({ mutations: shortOrLong(40, 120), publishes: 18, seed: 7 });
  expect(report.missed, describeMutations(report)).toEqual([]);
});

test('what was redacted is gone from every file that the command calls clean, and all proofs hold', {
  timeout: 300_000,
}, async () => {
  const report = await tortureTlogRedactions(shortOrLong(10, 30));
  expect(report, describeRedactions(report)).toMatchObject({ leaks: [], broken: 0 });
  expect(report.redactions).toBeGreaterThan(5);
});
