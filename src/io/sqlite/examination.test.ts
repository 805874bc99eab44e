import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ensureSound } from './examination.ts';
import { DATABASE_FILE, openSqliteLog } from './log.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-examination-'));
afterAll(() => rm(root, { recursive: true }));

test('a database that takes a while to be looked at is looked at beside the event loop', async () => {
  {
    await using log = await openSqliteLog({ folder: root });
    for (let at = 0; at < 60; at += 1) await log.snapshots.put(`${at} `.repeat(50_000));
  }
  expect((await stat(join(root, DATABASE_FILE))).size).toBeGreaterThan(5_000_000);
  let [turns, isDone] = [0, false];
  const done = ensureSound(root).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  await done;
  // A process is started meanwhile; a look from this thread leaves a few turns only.
  expect(turns).toBeGreaterThan(100);
});
