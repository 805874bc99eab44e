import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openClusterStore } from '../src/doors/open-cluster.ts';
import { type SharedWatch, sharedWatch } from '../src/hub/cluster/shared-watch.ts';
import type { WatchedSource } from '../src/hub/store/hub-store.ts';
import type { VisitOutcome } from '../src/hub/store/visit-outcome.ts';
import { type RunningWatch, startWatch } from '../src/hub/watch/watch.ts';
import { alarm } from '../src/io/node/timer-alarm.ts';
import { PostgresJournal } from '../src/io/postgres/cluster/journal.ts';
import { PostgresSourceLeases } from '../src/io/postgres/cluster/source-leases.ts';
import { type ClusterLab, openClusterLab } from './support/cluster-lab.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { NOTHING_NEW } from './support/watch-lab.ts';
import { DELETES_KEPT, feed } from './support/watched-feeds.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-cluster-watch-'));
afterAll(() => rm(root, { recursive: true }));

type Visit = (source: WatchedSource, shared: SharedWatch, signal: AbortSignal) => Promise<VisitOutcome>;

/** One process of a hub that watches; its visits are the test's. */
async function startProcess(lab: ClusterLab, holder: string, visit: Visit, concurrency = 4) {
  const database = await lab.openDatabase();
  const store = await openClusterStore({
    journal: new PostgresJournal(database),
    folder: await mkdtemp(join(root, `${holder}-`)),
  });
  await store.replica.current();
  const shared = sharedWatch(store, {
    leases: new PostgresSourceLeases(database),
    holder,
    leaseMs: 1500,
    concurrency,
    elapsed: () => performance.now(),
    alarm,
    onTrouble: () => {},
    onRecovered: () => {},
  });
  const visited: string[] = [];
  const watch: RunningWatch = await startWatch({
    ...shared,
    visit: (source, signal) => {
      visited.push(source.config.id);
      return visit(source, shared, signal);
    },
    test: async () => NOTHING_NEW,
    now: Date.now,
    alarm,
    random: () => 0.5,
    concurrency,
    allowPrivate: true,
    onEvent: () => {},
  });
  return {
    store,
    watch,
    visited,
    async [Symbol.asyncDispose]() {
      await watch.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

const quiet: Visit = async () => NOTHING_NEW;

/** Until it is asked to end. */
const hanging: Visit = (_source, _shared, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ is: 'abandoned', changes: 0 }));
  });

/** The store of a visit, and a change that it found. */
async function tell(shared: SharedWatch, id: string): Promise<VisitOutcome> {
  const drafts = [{ source: id, url: `https://${id}.example/`, action: 'create', kind: 'page' } as const];
  const changes = await shared.storeOf(id).commit({ source: id, drafts: drafts as never });
  return { is: 'read', changes: changes.length, notes: [] };
}

describeOnPostgres('watches of several processes', (server) => {
  test('each source is visited by one, and all know how it stands', async () => {
    await using lab = await openClusterLab(server().url);
    await using one = await startProcess(lab, 'one', quiet);
    await using two = await startProcess(lab, 'two', quiet);
    const ids = Array.from({ length: 20 }, (_, at) => `s${at}`);
    await one.watch.add(ids.map((id) => feed(id, 3600)));
    await expect.poll(() => two.watch.sources().filter(({ health }) => health.looks === 1).length).toBe(20);
    await expect.poll(() => one.watch.sources()).toEqual(two.watch.sources());
    expect([...one.visited, ...two.visited].sort()).toEqual(ids.toSorted());
    expect(await two.watch.checksOf('s3', 5)).toEqual(await one.watch.checksOf('s3', 5));
  });

  test('what is done with a source in one process counts in the other', async () => {
    await using lab = await openClusterLab(server().url);
    await using server1 = await startProcess(lab, 'server', quiet, 0);
    await using worker = await startProcess(lab, 'worker', hanging);
    await server1.watch.add([feed('a', 3600)]);
    await expect.poll(() => worker.visited).toEqual(['a']);
    await server1.watch.pause('a', 'enough');
    await expect.poll(() => worker.watch.source('a')?.paused).toBe('enough');
    await Promise.all([
      server1.watch.resume('a', DELETES_KEPT),
      worker.watch.change({ ...feed('a', 3600), title: 'A' }),
    ]);
    await expect.poll(() => worker.visited).toEqual(['a', 'a']);
    await expect.poll(() => server1.watch.source('a')).toMatchObject({ config: { title: 'A' } });
    expect(server1.watch.source('a')).not.toHaveProperty('paused');
    await server1.watch.remove('a');
    await expect.poll(() => worker.watch.sources()).toEqual([]);
    expect(server1.visited).toEqual([]);
  });

  test('of two that add the same source, one is told that there is one', async () => {
    await using lab = await openClusterLab(server().url);
    await using one = await startProcess(lab, 'one', quiet, 0);
    await using two = await startProcess(lab, 'two', quiet, 0);
    const added = await Promise.allSettled([one.watch.add([feed('a', 60)]), two.watch.add([feed('a', 90)])]);
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(added.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { name: 'SourceExistsError' } });
    await expect.poll(() => one.watch.sources()).toEqual(two.watch.sources());
  });

  test('who was overruled in the middle of a visit writes nothing', async () => {
    await using lab = await openClusterLab(server().url);
    let go = () => {};
    const asked = new Promise<void>((resolve) => {
      go = resolve;
    });
    let late: Promise<VisitOutcome> | undefined;
    await using worker = await startProcess(lab, 'worker', (source, shared) => {
      // What it writes to is had before anybody interferes.
      const store = shared.storeOf(source.config.id);
      late ??= asked.then(() => tell({ ...shared, storeOf: () => store }, source.config.id));
      return late;
    });
    await using other = await startProcess(lab, 'server', quiet, 0);
    await other.watch.add([feed('a', 3600)]);
    await expect.poll(() => worker.visited).toEqual(['a']);
    await other.watch.pause('a', 'enough');
    go();
    await expect(late).rejects.toMatchObject({ name: 'WriteRefusedError', refused: 'fenced' });
    expect(await other.store.lastChange()).toBeUndefined();
    expect(worker.watch.source('a')?.health.failures).toBe(0);
  });

  test('the sources of a process that is gone are taken over', async () => {
    await using lab = await openClusterLab(server().url);
    const dead = await lab.openDatabase();
    await using worker = await startProcess(lab, 'worker', quiet, 0);
    await worker.watch.add([feed('a', 3600)]);
    await new PostgresSourceLeases(dead).claim({ holder: 'dead', most: 1, leaseMs: 1500, rev: 1000 });
    await using heir = await startProcess(lab, 'heir', quiet);
    await expect.poll(() => heir.visited, { timeout: 8000 }).toEqual(['a']);
    await expect.poll(() => worker.watch.source('a')?.health.looks).toBe(1);
  });
});
