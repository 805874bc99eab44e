import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { changedPage } from '../../../../test/support/atom-lab.ts';
import { openTlogLab } from '../../../../test/support/tlog-lab.ts';
import { workBetweenTurns } from '../../../../test/support/work-between-turns.ts';
import { LogFullError } from '../../../errors/log-error.ts';
import { EMPTY_EDGE, growTree } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { TlogStore, TlogWrite } from './tlog-store.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-tlog-shelf-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'hub-'));

const ofType = (entries: readonly Record<string, unknown>[], type: string) =>
  entries.filter((each) => each.type === type);

test('a change is an entry behind the one that begins the log, and the signed head is the root over both', async () => {
  await using lab = await openTlogLab({ folder: await newFolder() });
  expect([lab.shelf.record, await lab.text('checkpoint')], 'nothing before there is something to say').toEqual([
    undefined,
    undefined,
  ]);
  const [change] = await lab.commit('docs', [changedPage('a', { before: 'A secret.' })]);
  const entries = await lab.entries();
  expect(entries.map(({ type }) => type)).toEqual(['begin', 'change']);
  expect(entries[1]).toMatchObject({ id: change?.id, seq: 1, source: 'docs', url: 'https://docs.example/a' });
  expect(JSON.stringify(entries)).not.toContain('secret');
  const head = await lab.head();
  expect(head).toMatchObject({ origin: 'hub.example/.well-known/tidings', treeSize: 2 });
  const { root: ours } = growTree(EMPTY_EDGE, lab.tables.openEntries(1), sha256);
  expect(Buffer.from(head.rootHash).toString('hex')).toBe(Buffer.from(ours).toString('hex'));
});

test('a log of several bundles has every entry in order, and every width of every tile that it ever had', async () => {
  await using lab = await openTlogLab({ folder: await newFolder() });
  for (let run = 0; run < 6; run += 1) {
    await lab.commit(
      'docs',
      Array.from({ length: 100 }, (_, at) => changedPage(`p${run}-${at}`)),
    );
    await lab.advance(1000);
  }
  const changes = ofType(await lab.entries(), 'change');
  expect(changes.map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, at) => at + 1));
  const lengths = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await lab.files.read(path, 1e9))?.length));
  expect(await lengths('tile/0/000', 'tile/0/000.p/7', 'tile/0/002.p/89', 'tile/1/000.p/2', 'tile/1/000.p/1')).toEqual([
    8192, 224, 2848, 64, 32,
  ]);
  expect(await lengths('tile/0/002', 'tile/0/002.p/90', 'tile/1/000', 'tile/2/000.p/1')).toEqual(
    Array(4).fill(undefined),
  );
  const place = lab.tables.place(600);
  expect(place).toMatchObject({ log: 1, entry: 600 });
});

test('checks that found nothing new are one entry every 5 s, with a list that has its hash', async () => {
  await using lab = await openTlogLab({ folder: await newFolder() });
  for (const id of ['b', 'a', 'c']) lab.check(id);
  lab.check('broken', { lastOkMs: 1, failures: 1 });
  lab.check('news', { changed: true });
  await lab.advance(0);
  expect((await lab.entries()).at(-1)).toMatchObject({ type: 'checked', count: 3, time: '2026-03-01T12:00:00Z' });
  await lab.advance(1000);
  lab.check('a');
  lab.check('a');
  await lab.advance(1000);
  lab.check('b');
  await lab.advance(2999);
  expect(ofType(await lab.entries(), 'checked')).toHaveLength(1);
  await lab.advance(1);
  const [, second] = ofType(await lab.entries(), 'checked');
  expect(second).toMatchObject({ count: 2, since: '2026-03-01T12:00:01Z', time: '2026-03-01T12:00:02Z' });
  const list = gunzipSync(lab.tables.checkedList(1, 2) ?? '');
  expect(JSON.parse(list.toString())).toEqual([
    { source: 'a', time: '2026-03-01T12:00:01Z' },
    { source: 'b', time: '2026-03-01T12:00:02Z' },
  ]);
  expect(second?.list).toBe(`sha256:${Buffer.from(sha256(list)).toString('hex')}`);
  expect((await lab.head()).treeSize).toBe(3);
});

test('a hub that does nothing appends nothing', async () => {
  await using lab = await openTlogLab({ folder: await newFolder() });
  await lab.advance(3600_000);
  expect(lab.shelf.record).toBeUndefined();
  await lab.commit('docs', [changedPage('a')]);
  const note = await lab.text('checkpoint');
  await lab.advance(3600_000);
  expect(await lab.text('checkpoint')).toBe(note);
});

test('changes under load are signed once a second, and the last of them in the end', async () => {
  const notes: string[] = [];
  const around = (store: TlogStore): TlogStore =>
    listening(store, ({ checkpoint }) => void (checkpoint && notes.push(checkpoint)));
  await using lab = await openTlogLab({ folder: await newFolder(), around });
  for (let at = 0; at < 50; at += 1) {
    await lab.commit('docs', [changedPage(`p${at}`)]);
    await lab.advance(100);
  }
  await lab.advance(1000);
  expect((await lab.head()).treeSize).toBe(51);
  expect(notes.length).toBeLessThanOrEqual(7);
});

test('documents of others are told by their hashes: what lasts once, what changes each time that it did', async () => {
  const folder = await newFolder();
  let feed = 'one';
  const documents = () => [
    { path: 'archive/a.json', bytes: Buffer.from('{}'), lasts: true, seq: 1 },
    { path: 'changes.atom', bytes: Buffer.from(feed), seq: 3 },
  ];
  {
    await using lab = await openTlogLab({ folder, documents });
    for (let at = 0; at < 3; at += 1) {
      await lab.commit('docs', [changedPage(`p${at}`)]);
      await lab.advance(5000);
    }
    const told = ofType(await lab.entries(), 'artifact');
    expect(told.map(({ path }) => path)).toEqual(['changes.atom', 'archive/a.json'].sort());
    expect(lab.shelf.record?.documentsSeq).toBe(3);
    feed = 'two';
  }
  {
    const later = () => documents().map((each) => ({ ...each, seq: each.seq + 1 }));
    await using lab = await openTlogLab({ folder, documents: later, startMs: Date.parse('2026-03-02T12:00:00Z') });
    await lab.commit('docs', [changedPage('more')]);
    await lab.advance(5000);
    expect(ofType(await lab.entries(), 'artifact').map(({ path }) => path)).toEqual([
      'archive/a.json',
      'changes.atom',
      'changes.atom',
    ]);
  }
});

test('a log does not begin before it is known where the hub is reached', async () => {
  let base = '';
  await using lab = await openTlogLab({ folder: await newFolder(), baseUrl: () => base });
  await lab.commit('docs', [changedPage('a')]);
  expect([lab.shelf.record, lab.shelf.seq, lab.shelf.trouble]).toEqual([
    undefined,
    Number.POSITIVE_INFINITY,
    undefined,
  ]);
  base = 'http://127.0.0.1:8080/';
  await lab.shelf.mend();
  expect(lab.shelf.record?.origin).toBe('127.0.0.1:8080/.well-known/tidings');
});

test('changes of a hub from before its log began are committed to by the first entry', async () => {
  const folder = await newFolder();
  {
    await using lab = await openTlogLab({ folder, baseUrl: () => '' });
    await lab.commit('docs', [changedPage('a'), changedPage('b')]);
  }
  await using lab = await openTlogLab({ folder });
  expect((await lab.head()).treeSize, 'at once').toBe(1);
  const [last] = await lab.commit('docs', [changedPage('c')]);
  await lab.advance(1000);
  const entries = await lab.entries();
  expect(entries.map(({ type }) => type)).toEqual(['begin', 'change']);
  expect(entries[1]).toMatchObject({ id: last?.id, seq: 3 });
  expect(JSON.stringify(entries[0])).toContain('2');
});

test('behind a restored backup another log begins, under another key, and names the last checkpoint of the one before', async () => {
  const folder = await newFolder();
  let before: { note: string; vkey: string } | undefined;
  {
    await using lab = await openTlogLab({ folder });
    await lab.commit('docs', [changedPage('a')]);
    before = { note: (await lab.text('checkpoint')) ?? '', vkey: lab.shelf.record?.vkey ?? '' };
  }
  await using lab = await openTlogLab({ folder, epoch: '1f0a2b3c', startMs: Date.parse('2026-03-02T12:00:00Z') });
  await lab.commit('docs', [changedPage('b')]);
  await lab.advance(1000);
  const entries = await lab.entries();
  expect(entries.map(({ type, seq }) => [type, seq])).toEqual([
    ['begin', undefined],
    ['change', 2],
  ]);
  expect(JSON.stringify(entries[0])).toContain(JSON.stringify(before.note).slice(1, -1));
  expect(lab.shelf.record?.vkey).not.toBe(before.vkey);
  expect(lab.tables.openEntries(1), 'the log before is kept').toHaveLength(2);
});

test('a head that was stored and not signed is signed by the next start, in the same words as it would have been', async () => {
  const folder = await newFolder();
  const failing = (store: TlogStore): TlogStore =>
    listening(store, ({ checkpoint }) => {
      if (checkpoint !== undefined) throw new LogFullError(folder, new Error('full'));
    });
  let head: unknown;
  {
    await using lab = await openTlogLab({ folder, around: failing });
    await lab.commit('docs', [changedPage('a')]);
    expect(lab.shelf.trouble).toContain('full');
    head = lab.tables.logs()[0]?.root;
    expect(lab.tables.logs()[0]).toMatchObject({ size: 2 });
    expect(await lab.text('checkpoint')).toBeUndefined();
  }
  await using lab = await openTlogLab({ folder });
  const signed = await lab.head();
  expect([signed.treeSize, Buffer.from(signed.rootHash)]).toEqual([2, Buffer.from(head as Uint8Array)]);
});

/** Hears of each step before it is stored. */
function listening(store: TlogStore, onWrite: (step: TlogWrite) => void): TlogStore {
  return {
    logs: () => store.logs(),
    tile: (...place) => store.tile(...place),
    openTile: (...place) => store.openTile(...place),
    bundle: (...place) => store.bundle(...place),
    openEntries: (log) => store.openEntries(log),
    place: (seq) => store.place(seq),
    places: (...range) => store.places(...range),
    documentHash: (path) => store.documentHash(path),
    checkedList: (...place) => store.checkedList(...place),
    write(step) {
      onWrite(step);
      store.write(step);
    },
  };
}

test('a hub that is reached elsewhere keeps the name of its log, and its operator is told once', async () => {
  const folder = await newFolder();
  const problems: string[] = [];
  const moved = {
    folder,
    baseUrl: () => 'https://new.example/',
    onProblem: (text: string) => void problems.push(text),
  };
  {
    await using lab = await openTlogLab({ folder });
    await lab.commit('docs', [changedPage('a')]);
  }
  await using lab = await openTlogLab({ ...moved, startMs: Date.parse('2026-03-02T12:00:00Z') });
  await lab.commit('docs', [changedPage('b')]);
  await lab.shelf.mend();
  expect(problems).toEqual([expect.stringContaining('hub.example/.well-known/tidings')]);
  expect(await lab.head()).toMatchObject({ origin: 'hub.example/.well-known/tidings', treeSize: 3 });
});

test('a log that catches up with many changes lets others have their turn behind few of them', async () => {
  const folder = await newFolder();
  {
    await using lab = await openTlogLab({ folder });
    await lab.commit('docs', [changedPage('a')]);
    await lab.shelf[Symbol.asyncDispose]();
    const drafts = Array.from({ length: 1000 }, (_, at) => ({ ...changedPage(`p${at}`), source: 'docs' }));
    await lab.store.commit({ source: 'docs', drafts });
  }
  const most = await workBetweenTurns(async (count) => {
    await using lab = await openTlogLab({ folder, startMs: Date.parse('2026-03-02T12:00:00Z'), onEntry: count });
    expect(lab.shelf.record?.seq).toBe(1001);
  });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(32);
});

test('checks that were to be told when a write failed are told by the next one', async () => {
  let isFull = false;
  const folder = await newFolder();
  const around = (store: TlogStore): TlogStore =>
    listening(store, ({ checks }) => {
      if (isFull && checks.length > 0) throw new LogFullError(folder, new Error('full'));
    });
  await using lab = await openTlogLab({ folder, around });
  await lab.commit('docs', [changedPage('a')]);
  await lab.advance(5000);
  isFull = true;
  lab.check('one');
  lab.check('two');
  await lab.advance(5000);
  expect(lab.shelf.trouble).toContain('full');
  lab.check('two');
  isFull = false;
  await lab.shelf.mend();
  await lab.advance(10_000);
  const checked = ofType(await lab.entries(), 'checked');
  expect(checked).toMatchObject([{ count: 2 }]);
  await lab.advance(60_000);
  expect(ofType(await lab.entries(), 'checked'), 'once').toHaveLength(1);
});

test('a feed that names a source otherwise is told again, though nothing has changed', async () => {
  let feed = 'one';
  const documents = () => [{ path: 'atom/docs.atom', bytes: Buffer.from(feed), seq: 1 }];
  await using lab = await openTlogLab({ folder: await newFolder(), documents });
  await lab.commit('docs', [changedPage('a')]);
  await lab.advance(5000);
  const told = async () => ofType(await lab.entries(), 'artifact').length;
  lab.check('docs');
  await lab.advance(10_000);
  expect(await told()).toBe(1);
  feed = 'two';
  lab.rename('docs', 'Another name');
  lab.check('docs');
  await lab.advance(10_000);
  expect(await told()).toBe(2);
  lab.check('docs');
  await lab.advance(10_000);
  expect(await told(), 'once').toBe(2);
});
