import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteHubStore } from '../../../io/sqlite/hub-store.ts';
import { openSqliteRuns } from '../../../io/sqlite/runs.ts';
import type { ShelfSource } from '../../shelf.ts';
import { RunBatch } from './run-batch.ts';
import { loadRunState } from './run-state.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const SOURCES = ['a', 'b', 'c', 'd', 'e'];

test('however many sources are looked at, the feed of all of them is made once for those that are written together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-run-batch-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await using store = await openSqliteHubStore({ folder });
  const sourceOf = (id: string): ShelfSource => ({
    id,
    title: id,
    url: `https://${id}.example/`,
    status: 'ok',
    addedAtMs: NOON,
    health: { lastCheckMs: NOON, lastOkMs: NOON, changed: false, failures: 0 },
  });
  const runs = store.openTables(openSqliteRuns);
  const world = { store: runs, sourceOf, ttlSecOf: () => 300, ttlSec: 60, root: '/', now: () => NOON };
  const state = loadRunState(world);
  let made = 0;
  const select = state.statuses.select.bind(state.statuses);
  state.statuses.select = (included) => {
    made += 1;
    return select(included);
  };
  const batch = new RunBatch(state, world);
  for (const id of SOURCES) await batch.restate(id);
  const step = await batch.finish();
  expect(step?.feeds.map(({ record }) => record.name).sort()).toEqual(['_global', ...SOURCES]);
  expect(made).toBe(1);
});
