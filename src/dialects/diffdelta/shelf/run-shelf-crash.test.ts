import { hash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { openRuns, page, served, withWrite } from '../../../../test/support/run-lab.ts';
import type { DiffDeltaFeed } from '../../../codecs/diffdelta/wire.ts';
import { LogFullError } from '../../../errors/log-error.ts';
import { openSqliteHubStore, SqliteHubStore } from '../../../io/sqlite/hub-store.ts';
import { openLogDatabase } from '../../../io/sqlite/log.ts';
import { openSqliteRuns } from '../../../io/sqlite/runs.ts';
import { openRunShelf, type RunShelf } from './run-shelf.ts';
import type { RunStore, RunWrite } from './run-store.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-run-crash-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'hub-'));

clause(
  'DD-P2',
  'what the log has more than the files becomes runs on opening, each once, also after a crash',
  async () => {
    const folder = await newFolder();
    const crashed = join(await newFolder(), 'copy');
    const hub = await openRuns({ folder });
    await hub.addSource('docs');
    await hub.read('docs', [page('a', 'one', 'create')]);
    await hub.fail('docs');
    const last = hub.shelf.find('docs')?.cursor;
    await hub[Symbol.asyncDispose]();
    {
      // A hub that ends between the commit and the runs leaves a log like this.
      await using store = await openSqliteHubStore({ folder });
      await store.commit({ source: 'docs', drafts: [{ ...page('a', 'two'), source: 'docs' }] });
      await store.commit({ source: 'docs', drafts: [{ ...page('a', 'three'), source: 'docs' }] });
    }
    await cp(folder, crashed, { recursive: true });
    const seen = [];
    for (const place of [folder, crashed, folder]) {
      await using again = await openRuns({ folder: place, sources: hub.sources });
      const newest = await archived(again.shelf, (await served(again.shelf, 'docs')).feed.archive_url);
      const second = await archived(again.shelf, newest.prev_archive_url);
      expect(newest.prev_cursor).toBe(second.cursor);
      expect(second.prev_cursor).toBe(last);
      expect(again.shelf.find('docs')?.cursor).toBe(newest.cursor);
      seen.push([newest, again.shelf.find('_global')?.cursor, again.shelf.seq]);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[0]?.[2]).toBe(3);
  },
);

test.each([0, 1, 2, 3, 4])(
  'a write that fails at step %i changes nothing that is served, and is made good',
  async (at) => {
    const folder = await newFolder();
    let fault: number | undefined;
    const fired: number[] = [];
    const around = (store: RunStore) =>
      withWrite(store, (step) => {
        const failing = fault === undefined ? step : poisoned(step, fault);
        if (fault !== undefined) fired.push(fault);
        store.write(failing);
      });
    await using hub = await openRuns({ folder, around: (store) => explained(around(store)) });
    await hub.addSource('docs');
    await hub.read('docs', [page('a', 'one', 'create')]);
    const before = await Promise.all(['docs', '_global'].map((name) => served(hub.shelf, name)));

    fault = at;
    await hub.read('docs', [page('a', 'two')]);
    await hub.shelf.mend();
    expect(fired.length).toBeGreaterThan(0);
    expect(hub.shelf.trouble).toContain('full');
    const during = await Promise.all(['docs', '_global'].map((name) => served(hub.shelf, name)));
    expect(during.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    expect(hub.shelf.seq).toBe(1);

    fault = undefined;
    await hub.shelf.mend();
    expect(hub.shelf.trouble).toBeUndefined();
    expect(hub.shelf.seq).toBe(2);
    for (const [index, name] of ['docs', '_global'].entries()) {
      const { feed, etag } = await served(hub.shelf, name);
      expect(feed).toMatchObject({ changed: true, prev_cursor: before[index]?.feed.cursor });
      expect(feed.prev_archive_url).toBe(before[index]?.feed.archive_url);
      expect(etag).toBe(`"${feed.cursor}"`);
    }
  },
);

clause('DD-K13', 'a shelf that is made again from the log has the same cursors and the same archives', async () => {
  const [folder, other] = [await newFolder(), await newFolder()];
  const paths = new Map<string, string>();
  await using hub = await openRuns({ folder });
  for (const id of ['api', 'docs']) hub.watch(id);
  for (let step = 0; step < 12; step++) {
    const id = step % 3 === 0 ? 'api' : 'docs';
    await hub.commit(id, [
      page(`p${step % 4}`, `text ${step}`),
      page(`q${step % 2}`, '', step % 5 === 0 ? 'delete' : 'update'),
    ]);
    await hub.shelf.mend();
    for (const name of ['api', 'docs']) {
      const url = hub.shelf.find(name) && (await served(hub.shelf, name)).feed.archive_url;
      const path = url?.slice(1) ?? '';
      const bytes = await hub.shelf.archive(path);
      if (bytes !== undefined) paths.set(path, Buffer.from(bytes).toString());
    }
  }
  {
    await using copy = await openSqliteHubStore({ folder: other, now: hub.now });
    const drafts = [];
    for await (const { seq: _, id: _id, ...draft } of hub.store.changes({})) drafts.push(draft);
    for (const time of new Set(drafts.map((draft) => draft.time))) {
      const batch = drafts.filter((draft) => draft.time === time);
      await copy.commit({ source: batch[0]?.source ?? '', drafts: batch });
    }
  }
  await using again = await openRuns({ folder: other, startMs: hub.now(), sources: hub.sources });
  for (const name of ['api', 'docs', '_global']) {
    expect(again.shelf.find(name)?.cursor).toBe(hub.shelf.find(name)?.cursor);
  }
  expect(paths.size).toBe(12);
  const isSame = [];
  for (const [path, text] of paths)
    isSame.push(Buffer.from((await again.shelf.archive(path)) ?? '').toString() === text);
  expect(isSame).not.toContain(false);
});

test('changes that were never handed over are read from the log, by mending or behind a gap', async () => {
  await using hub = await openRuns({ folder: await newFolder(), isDeaf: true });
  hub.watch('docs');
  await hub.commit('docs', [page('a', 'one', 'create')]);
  expect(hub.shelf.find('docs')).toBeUndefined();
  await hub.shelf.mend();
  expect(await served(hub.shelf, 'docs')).toMatchObject({ feed: { changed: true, prev_cursor: null } });
  await hub.commit('docs', [page('a', 'two')]);
  await hub.commit('docs', [page('a', 'three')]);
  const last = await hub.store.lastChange();
  if (last !== undefined) await hub.shelf.add([last]);
  expect(hub.shelf.seq).toBe(3);
  const { feed } = await served(hub.shelf, 'docs');
  expect(feed.buckets.updated[0]?.provenance.revision).toBe(3);
  if (last !== undefined) await hub.shelf.add([last]);
  expect(hub.shelf.find('docs')?.cursor, 'what is handed over twice counts once').toBe(feed.cursor);
});

test('when the disk is full the old files are served, and once there is room nothing is missing', async () => {
  const folder = await newFolder();
  await (await openSqliteHubStore({ folder }))[Symbol.asyncDispose]();
  const opened = await openLogDatabase({ folder });
  await using store = new SqliteHubStore(opened, Date.now);
  await using shelf = await openRunShelf({
    store: store.openTables(openSqliteRuns),
    readChanges: (after) => store.changes({ after }),
    sourceOf: () => undefined,
    sources: () => [],
    ttlSecOf: () => 300,
    ttlSec: 300,
    root: '/',
    now: Date.now,
    wait: async () => {},
  });
  const commit = async (text: string) =>
    shelf.add(await store.commit({ source: 'docs', drafts: [{ ...page('a', text), source: 'docs' }] }));
  await commit('one');
  const before = (await served(shelf, 'docs')).text;
  // Room for the change, but not for the files that it makes.
  const changes = await store.commit({ source: 'docs', drafts: [{ ...page('a', noise(30_000)), source: 'docs' }] });
  const { page_count: pages } = opened.database.prepare('PRAGMA page_count').get() as { page_count: number };
  opened.database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  await shelf.add(changes);
  await shelf.mend();
  expect(shelf.trouble).toContain('full');
  expect((await served(shelf, 'docs')).text).toBe(before);
  opened.database.exec('PRAGMA max_page_count = 100000');
  await shelf.mend();
  expect([shelf.trouble, shelf.seq]).toEqual([undefined, 2]);
  expect((await served(shelf, 'docs')).feed.counts).toMatchObject({ updated: 1 });
});

test('a fault of our own is thrown, and the files say that they lag behind until it is gone', async () => {
  let isFaulty = false;
  const around = (store: RunStore) =>
    withWrite(store, (step) => {
      if (isFaulty) throw new Error('A fault of our own.');
      store.write(step);
    });
  await using hub = await openRuns({ folder: await newFolder(), around, isDeaf: true });
  await hub.commit('docs', [page('a', 'one', 'create')]);
  isFaulty = true;
  await expect(hub.shelf.mend()).rejects.toThrow('A fault of our own.');
  expect([hub.shelf.trouble, hub.shelf.seq]).toEqual(['A fault of our own.', 0]);
  isFaulty = false;
  await hub.shelf.mend();
  expect([hub.shelf.trouble, hub.shelf.seq]).toEqual([undefined, 1]);
});

test('a closed shelf takes nothing more', async () => {
  const folder = await newFolder();
  await using hub = await openRuns({ folder });
  const { shelf } = hub;
  await shelf[Symbol.asyncDispose]();
  await hub.commit('docs', [page('a', 'one', 'create')]);
  await shelf.mend();
  await shelf.restate(['docs']);
  expect(shelf.seq).toBe(0);
  await hub.reopenShelf();
  expect(hub.shelf.seq).toBe(1);
});

async function archived(shelf: RunShelf, url: string | undefined): Promise<DiffDeltaFeed> {
  const bytes = await shelf.archive(url?.slice(1) ?? '');
  return JSON.parse(Buffer.from(bytes ?? '').toString()) as DiffDeltaFeed;
}

/** Text that cannot be made much smaller. */
function noise(size: number): string {
  return Array.from({ length: size / 64 }, (_, at) => hash('sha256', String(at), 'hex')).join('');
}

/** The step with something in its n-th part that the database refuses, after the parts before it were written. */
function poisoned(step: RunWrite, at: number): RunWrite {
  const poison = undefined as never;
  const parts: readonly Partial<RunWrite>[] = [
    { after: poison },
    { items: [...step.items, { source: 'docs', id: 'poison', body: poison }] },
    { archives: [...step.archives, { path: 'archive/poison', body: poison }] },
    { feeds: step.feeds.map(({ record }) => ({ record, latest: poison })) },
    { feeds: [...step.feeds, { record: { name: poison } as never, latest: new Uint8Array(1) }] },
  ];
  return { ...step, ...parts[at] };
}

/** What the database says of poison is a bug of ours; here it stands for a full disk. */
function explained(store: RunStore): RunStore {
  return withWrite(store, (step) => {
    try {
      store.write(step);
    } catch (error) {
      throw new LogFullError('tidings.db', error);
    }
  });
}
