import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import type { DiffDeltaItem } from '../../codecs/diffdelta/wire.ts';
import type { RunFeedRecord } from '../../dialects/diffdelta/shelf/feed-record.ts';
import { GZIP_ABOVE_BYTES, type RunWrite } from '../../dialects/diffdelta/shelf/run-store.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { openRawDatabase } from './database.ts';
import { openSqliteHubStore } from './hub-store.ts';
import { packItem } from './run-items.ts';
import { openSqliteRuns } from './runs.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-sqlite-runs-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'hub-'));

const RECORD: RunFeedRecord = {
  name: 'docs',
  cursor: null,
  prevCursor: null,
  changed: false,
  rewrites: 2,
  hash: 'sha256:0',
  generatedAt: '2026-03-01T12:00:00.000Z',
  head: '{"cursor":null}\n',
  bytes: 2,
};
const ITEM: DiffDeltaItem = {
  source: 'docs',
  id: 'https://docs.example/\u0000',
  url: 'https://docs.example/',
  published_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
  headline: 'A\u0000B\u2028"',
  content: {},
  provenance: { content_hash: 'sha256:0', fetched_at: '2026-03-01T12:00:00.000Z', evidence_urls: [], revision: 1 },
};
const PATH = 'archive/docs/2026/03/01/a.json';
const STEP: RunWrite = {
  after: 0,
  seq: 7,
  feeds: [{ record: RECORD, latest: Buffer.from('{}') }],
  items: [packItem({ item: ITEM, isRemoved: true })],
  archives: [archive(PATH, '{"a":1}')],
};

function archive(path: string, text: string) {
  return { path, text, body: Buffer.from(text) };
}

test('what is written is there when the folder is opened again', async () => {
  const folder = await newFolder();
  {
    await using store = await openSqliteHubStore({ folder });
    const runs = store.openTables(openSqliteRuns);
    expect([runs.seq(), runs.feeds(), runs.latest('docs'), await runs.archive(PATH)]).toEqual([
      0,
      [],
      undefined,
      undefined,
    ]);
    expect(await runs.feed('docs')).toBeUndefined();
    runs.write(STEP);
  }
  await using store = await openSqliteHubStore({ folder });
  const runs = store.openTables(openSqliteRuns);
  expect(runs.seq()).toBe(7);
  expect(runs.feeds()).toEqual([RECORD]);
  expect(await runs.feed('docs')).toEqual({});
  expect(runs.item('docs', ITEM.id)).toEqual({ item: ITEM, isRemoved: true });
  expect(runs.item('docs', 'https://docs.example/')).toBeUndefined();
  expect(Buffer.from((await runs.archive(PATH)) ?? '').toString()).toBe('{"a":1}');
});

test('a step that does not begin where the last one ended is refused whole', async () => {
  await using store = await openSqliteHubStore({ folder: await newFolder() });
  const runs = store.openTables(openSqliteRuns);
  runs.write(STEP);
  const other = { ...STEP, seq: 9, archives: [archive('archive/other', '{}')] };
  expect(() => runs.write(other)).toThrow('do not stand at 0');
  expect(runs.seq()).toBe(7);
  expect(await runs.archive('archive/other')).toBeUndefined();
  runs.write({ ...other, after: 7 });
  expect(runs.seq()).toBe(9);
});

clause('DD-A2', 'the database itself refuses to change or delete an archive', async () => {
  const folder = await newFolder();
  {
    await using store = await openSqliteHubStore({ folder });
    const runs = store.openTables(openSqliteRuns);
    runs.write(STEP);
    const again = { ...STEP, after: 7, seq: 8, archives: [archive(PATH, '{"a":2}')] };
    expect(() => runs.write(again)).toThrow();
    expect(runs.seq(), 'nothing of the step was kept').toBe(7);
  }
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  try {
    expect(() => database.exec(`UPDATE hub_run_closed SET body = x'00'`)).toThrow('never changed');
    expect(() => database.exec('DELETE FROM hub_run_closed')).toThrow('never deleted');
    expect(database.prepare('SELECT count(*) AS n FROM hub_run_closed').get()).toEqual({ n: 1 });
  } finally {
    database.close();
  }
});

test('bodies come back as they were, and large ones are kept in gzip', async () => {
  await using store = await openSqliteHubStore({ folder: await newFolder() });
  const runs = store.openTables(openSqliteRuns);
  for (const size of [2, 1999, 2001, GZIP_ABOVE_BYTES + 1, 70_000, 3_000_000]) {
    const text = JSON.stringify('ü'.repeat(size / 2));
    const packed = await runs.pack(text);
    expect(Buffer.from(await runs.unpack(packed)).toString() === text).toBe(true);
    if (text.length > GZIP_ABOVE_BYTES) expect(gunzipSync(packed).toString() === text).toBe(true);
  }
});

test('a body that is damaged is said to be so', async () => {
  await using store = await openSqliteHubStore({ folder: await newFolder() });
  const runs = store.openTables(openSqliteRuns);
  for (const size of [4000, 400_000]) {
    const packed = await runs.pack(JSON.stringify(Array.from({ length: size }, (_, at) => at * 7919)));
    packed.fill(0xff, 20, 40);
    await expect(async () => runs.unpack(packed)).rejects.toThrow(StateCorruptError);
  }
});

test('the data folder of a hub without runs goes on, and one with runs is read beside its writer', async () => {
  const folder = await newFolder();
  {
    await using store = await openSqliteHubStore({ folder });
    await store.putFact('token', 'hash');
  }
  await using store = await openSqliteHubStore({ folder });
  store.openTables(openSqliteRuns).write(STEP);
  await using reader = await openSqliteHubStore({ folder, readonly: true });
  expect(await reader.fact('token')).toBe('hash');
  expect(() => reader.openTables(openSqliteRuns)).toThrow('reading only');
});

test('items and archives that 0.1.0 left are found, and an item moves when its page changes', async () => {
  const folder = await newFolder();
  {
    await using store = await openSqliteHubStore({ folder });
    store.openTables(openSqliteRuns);
    store.openTables(({ database }) => {
      database
        .prepare('INSERT INTO hub_run_items (source, id, is_removed, item) VALUES (?, ?, 1, ?)')
        .run('docs', JSON.stringify(ITEM.id), JSON.stringify(ITEM));
      database.prepare('INSERT INTO hub_run_archives (path, body) VALUES (?, ?)').run(PATH, Buffer.from('{"a":0}'));
    });
  }
  await using store = await openSqliteHubStore({ folder });
  const runs = store.openTables(openSqliteRuns);
  expect(runs.item('docs', ITEM.id)).toEqual({ item: ITEM, isRemoved: true });
  expect(String(Buffer.from((await runs.archive(PATH)) ?? ''))).toBe('{"a":0}');
  runs.write({ ...STEP, items: [packItem({ item: { ...ITEM, headline: 'new' }, isRemoved: false })], archives: [] });
  expect(runs.item('docs', ITEM.id)).toEqual({ item: { ...ITEM, headline: 'new' }, isRemoved: false });
  const left = store.openTables(({ database }) => database.prepare('SELECT * FROM hub_run_items').all());
  expect(left).toEqual([]);
});

test('items take little more room than what they say', async () => {
  const folder = await newFolder();
  const items = Array.from({ length: 200 }, (_, at) => {
    const excerpt_text = Array.from({ length: 12 }, (__, word) => Math.sqrt(at * 12 + word)).join(' ');
    return { item: { ...ITEM, id: `id ${at}`, content: { excerpt_text, checksum: excerpt_text } }, isRemoved: false };
  });
  await using store = await openSqliteHubStore({ folder });
  const runs = store.openTables(openSqliteRuns);
  runs.write({ ...STEP, items: items.map(packItem) });
  const said = items.reduce((bytes, { item }) => bytes + JSON.stringify(item).length, 0);
  const stored = store.openTables(({ database }) => {
    return database.prepare(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'hub_run_%'`).get();
  }) as { bytes: number };
  expect(stored.bytes).toBeLessThan(said);
});
