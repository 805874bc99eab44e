import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seedRuns, serveFolder } from '../support/seeded-hub.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { temporaryFolder } from '../support/site.ts';
import { passed } from './harness.ts';
import { describeRestore, tortureRestore } from './restore.ts';
import { LongMemory } from './restore-reader.ts';

test('however the log of a hub is lost, nothing that it served becomes another', async () => {
  const report = await tortureRestore(shortOrLong(6, 48));
  expect(passed(report), describeRestore(report)).toBe(true);
  expect(report.hits).toBe(report.rounds);
  expect(report.archives.atom).toBeGreaterThan(1);
});

test('a hub that serves another past is found out', async () => {
  using folder = temporaryFolder();
  const memory = new LongMemory();
  for (const name of ['one', 'other']) {
    const data = join(folder.path, name);
    await seedRuns(data, 51);
    await using hub = await serveFolder(data);
    await memory.read(hub.url);
  }
  expect(memory.wrong['feeds rewritten']).toBeGreaterThan(0);
  expect(memory.wrong['cursors lost']).toBeGreaterThan(0);
  expect(Object.values(memory.kept).every((count) => count > 1)).toBe(true);
});
