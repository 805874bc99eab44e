import { expect, test } from 'vitest';
import { hasManyLoopbacks } from '../support/many-sites.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { passed } from './harness.ts';
import { describeHub } from './hub-report.ts';
import { tortureStrangers } from './strangers.ts';

test('no other origin and no client silences, starves or confuses a source', async ({ skip }) => {
  if (!(await hasManyLoopbacks())) return skip('this machine has one loopback address only');
  const size = shortOrLong({ origins: 13, seconds: 6 }, { origins: 30, seconds: 60 });
  // How late a check is on a busy machine is left to the torture at length.
  const report = await tortureStrangers({ ...size, clients: 6, intervalSeconds: 1, slackMs: 60_000 });
  expect(passed(report), describeHub(report)).toBe(true);
}, 120_000);
