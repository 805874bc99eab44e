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
  items: [{ item: ITEM, isRemoved: true }],
  archives: [{ path: PATH, body: Buffer.from('{"a":1}') }],
};

test('what is written is there when the folder is opened again', async () => {
  const folder = await newFolder();
  {
    await using store = await openSqliteHubStore({ folder });
    const runs = store.openTables(openSqliteRuns);
    expect([runs.seq(), runs.feeds(), runs.latest('docs'), runs.archive(PATH)]).toEqual([0, [], undefined, undefined]);
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
  expect(Buffer.from(runs.archive(PATH) ?? '').toString()).toBe('{"a":1}');
});

test('a step that does not begin where the last one ended is refused whole', async () => {
  await using store = await openSqliteHubStore({ folder: await newFolder() });
  const runs = store.openTables(openSqliteRuns);
  runs.write(STEP);
  const other = { ...STEP, seq: 9, archives: [{ path: 'archive/other', body: Buffer.from('{}') }] };
  expect(() => runs.write(other)).toThrow('do not stand at 0');
  expect(runs.seq()).toBe(7);
  expect(runs.archive('archive/other')).toBeUndefined();
  runs.write({ ...other, after: 7 });
  expect(runs.seq()).toBe(9);
});

clause('DD-A2', 'the database itself refuses to change or delete an archive', async () => {
  const folder = await newFolder();
  {
    await using store = await openSqliteHubStore({ folder });
    const runs = store.openTables(openSqliteRuns);
    runs.write(STEP);
    const again = { ...STEP, after: 7, seq: 8, archives: [{ path: PATH, body: Buffer.from('{"a":2}') }] };
    expect(() => runs.write(again)).toThrow();
    expect(runs.seq(), 'nothing of the step was kept').toBe(7);
  }
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  try {
    expect(() => database.exec(`UPDATE hub_run_archives SET body = x'00'`)).toThrow('never changed');
    expect(() => database.exec('DELETE FROM hub_run_archives')).toThrow('never deleted');
    expect(database.prepare('SELECT count(*) AS n FROM hub_run_archives').get()).toEqual({ n: 1 });
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
