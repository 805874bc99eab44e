import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedPage, openAtomLab } from '../../../../test/support/atom-lab.ts';
import { workBetweenTurns } from '../../../../test/support/work-between-turns.ts';
import type { Change } from '../../../model/change.ts';
import { AtomBatch } from './atom-batch.ts';
import type { AtomStore } from './atom-store.ts';

/** A batch that is not stored asks it for nothing else. */
const NO_STORE = { identity: () => 'hub' } as AtomStore;

test('others have their turn behind each run of many changes that a catch-up takes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-atom-turns-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let count = () => {};
  const titles = {
    // Asked for with each run.
    get docs() {
      count();
      return 'Docs';
    },
  };
  await using lab = await openAtomLab({ folder, titles, isDeaf: true });
  const pages = Array.from({ length: 50 }, (_, at) => changedPage(`p${at}`));
  for (let run = 0; run < 8; run += 1) await lab.commit('docs', pages);
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await lab.shelf.mend();
  });
  expect(lab.shelf.seq).toBe(400);
  expect(most).toBe(1);
});

test('others have their turn while the entry of a long run is made', async () => {
  let count = () => {};
  const changes = Array.from({ length: 10_000 }, (_, at): Change => {
    const url = `https://docs.example/p${at}`;
    const change: Change = {
      ...{ seq: at + 1, id: `id${at}`, source: 'docs', kind: 'page', action: 'create', time: '2026-03-01T12:00:00Z' },
      ...{ url, title: `Page ${at}`, provenance: { by: 'compare' } },
    };
    // Asked for by each look at a change.
    return Object.defineProperty(change, 'url', {
      get() {
        count();
        return url;
      },
    });
  });
  const state = { seq: 0, records: new Map(), collections: new Map() };
  const batch = new AtomBatch(state, { store: NO_STORE, sourceOf: () => ({ title: 'Docs' }) });
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await batch.addRun({ source: 'docs', time: '2026-03-01T12:00:00Z', changes });
  });
  expect(most).toBeLessThanOrEqual(2000);
  expect(batch.finish()?.entries[0]?.text).toContain('10000 pages to begin with');
});
