import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publish } from '../../src/doors/publish.ts';
import { clause } from '../clause.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { temporaryFolder } from '../support/site.ts';
import { TEST_LOG_KEY } from '../support/tlog-site.ts';
import { describeReport, passed } from './harness.ts';
import { describeMutations, tortureTlogMutations } from './tlog-mutations.ts';
import { CheckpointReader, nothingWrong, tortureTlogPublish } from './tlog-publish.ts';
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

test('a tile that is missing, and a history that was signed otherwise, are found out', async () => {
  using site = temporaryFolder();
  const wrong = nothingWrong();
  const reader = new CheckpointReader(site.path, wrong);
  const publishText = async (text: string) => {
    site.write({ 'index.html': `<h1>Home</h1><p>${text}</p>` });
    await publish({ dir: site.path, site: 'https://docs.example/', logKeyText: TEST_LOG_KEY });
    reader.read();
  };
  await publishText('One.');
  reader.judge();
  expect(wrong).toEqual(nothingWrong());
  const tile = Object.keys(site.fingerprint()).find((path) => path.includes('/tile/0/')) ?? '';
  const bytes = readFileSync(join(site.path, tile));
  site.remove(tile);
  reader.judge();
  expect(wrong['checkpoints that cover missing tiles']).toBeGreaterThan(0);
  site.write({ [tile]: bytes });
  for (const path of readdirSync(site.path)) site.remove(path);
  await publishText('Two.');
  reader.judge();
  expect(wrong.forks).toBeGreaterThan(0);
});
