import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRuns, page, withWrite } from '../../../../test/support/run-lab.ts';
import { workBetweenTurns } from '../../../../test/support/work-between-turns.ts';

/** A hub whose shelf must find out by itself what was committed; `count` hears of each item that is looked up. */
async function openDeaf(count: () => void) {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-run-turns-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return await openRuns({
    folder,
    isDeaf: true,
    around: (store) => ({
      ...withWrite(store, (step) => store.write(step)),
      item: (source, id) => {
        count();
        return store.item(source, id);
      },
    }),
  });
}

test('others have their turn behind each run of a catch-up', async () => {
  let count = () => {};
  await using hub = await openDeaf(() => count());
  await hub.addSource('docs');
  for (let run = 0; run < 12; run += 1) await hub.commit('docs', [page(`p${run}`, 'One.')]);
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await hub.shelf.mend();
  });
  expect(hub.shelf.seq).toBe(12);
  expect(most).toBe(1);
});

test('others have their turn within a run of many pages', async () => {
  let count = () => {};
  await using hub = await openDeaf(() => count());
  await hub.addSource('docs');
  await hub.commit(
    'docs',
    Array.from({ length: 450 }, (_, at) => page(`p${at}`, 'One.')),
  );
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await hub.shelf.mend();
  });
  expect(hub.shelf.seq).toBe(450);
  expect(most).toBe(100);
});

test('of many sources that are new, no more than 250 feeds are stored before others have their turn', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-run-turns-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stored: number[] = [];
  await using hub = await openRuns({
    folder,
    around: (store) =>
      withWrite(store, (step) => {
        stored.push(step.feeds.length);
        store.write(step);
      }),
  });
  const ids = Array.from({ length: 600 }, (_, at) => `s${at}`);
  for (const id of ids) hub.watch(id);
  await hub.shelf.restate(ids);
  for (const id of ids) expect(hub.shelf.find(id), id).toBeDefined();
  // The feed of all sources goes with each step.
  expect(Math.max(...stored)).toBe(251);
});
