import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeHubStore } from '../../hub/store/hub-store.contract.ts';
import type { HubStore } from '../../hub/store/hub-store.ts';
import { page } from '../../hub/store/hub-store-fixtures.contract.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { openRawDatabase, type SqliteDatabase } from './database.ts';
import { IS_TOLD_PAGE } from './hub-schema.ts';
import { openSqliteHubStore, SqliteHubStore } from './hub-store.ts';
import { openLogDatabase, openSqliteLog } from './log.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-sqlite-hub-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'hub-'));

describeHubStore('a hub in SQLite', async () => {
  const folder = await newFolder();
  return { open: (world) => openSqliteHubStore({ folder, ...world }) };
});

const DRAFT: ChangeDraft = { source: 'docs', action: 'update', url: 'https://docs.example/' };
const SOURCE = {
  config: { id: 'docs', kind: 'site', url: 'https://docs.example/' },
  origin: 'api',
  addedAtMs: 1,
  health: { changed: false, failures: 0, intervalMs: 1, dueAtMs: 1, changeGapsMs: [] },
} as const;

test('the log of a hub is read as any log, also beside the hub', async () => {
  const folder = await newFolder();
  await using store = await openSqliteHubStore({ folder });
  const changes = await store.commit({ source: 'docs', drafts: [DRAFT, DRAFT] });
  await using log = await openSqliteLog({ folder, readonly: true });
  expect(await collect(log.read())).toEqual(changes);
});

test('a reader beside the hub sees each commit once it is stored, and writes nothing', async () => {
  const folder = await newFolder();
  await using store = await openSqliteHubStore({ folder });
  await using reader = await openSqliteHubStore({ folder, readonly: true });
  expect(await reader.sources()).toEqual([]);
  await store.putSources([SOURCE]);
  await store.putFact('token', 'hash');
  const [change] = await store.commit({ source: 'docs', drafts: [DRAFT] });
  expect(await reader.sources()).toEqual([SOURCE]);
  expect(await reader.fact('token')).toBe('hash');
  expect(await collect(reader.changes({ source: 'docs' }))).toEqual([change]);
  for (const write of writesOf(reader)) await expect(write()).rejects.toThrow('reading only');
  expect(await collect(store.changes({}))).toEqual([change]);
});

test('a log without a hub is read as a hub without sources, and stays as it is', async () => {
  const folder = await newFolder();
  await using log = await openSqliteLog({ folder });
  const changes = await log.append([DRAFT, { ...DRAFT, source: 'other' }, DRAFT]);
  await using reader = await openSqliteHubStore({ folder, readonly: true });
  expect(await reader.sources()).toEqual([]);
  expect(await reader.checksOf('docs', 5)).toEqual([]);
  expect(await reader.pagesOf('docs')).toEqual({ pages: new Map() });
  expect(await reader.fact('token')).toBeUndefined();
  expect(await reader.changeById(changes[1]?.id ?? '')).toEqual(changes[1]);
  expect(await collect(reader.changes({ source: 'docs' }))).toEqual([changes[0], changes[2]]);
  expect(await tablesOf(folder)).not.toContain('hub_format');
});

test('a place without a log is named', async () => {
  const folder = await newFolder();
  await expect(openSqliteHubStore({ folder, readonly: true })).rejects.toMatchObject({ name: 'LogMissingError' });
});

test('changes that were appended without the hub, before it or between its runs, are found by their source', async () => {
  const folder = await newFolder();
  const appended: Change[] = [];
  for (let round = 0; round < 2; round += 1) {
    {
      await using log = await openSqliteLog({ folder });
      appended.push(...(await log.append([DRAFT, { ...DRAFT, source: 'other' }, DRAFT])));
    }
    await using store = await openSqliteHubStore({ folder });
    appended.push(...(await store.commit({ source: 'docs', drafts: [DRAFT] })));
    const wanted = appended.filter(({ source }) => source === 'docs');
    expect(await collect(store.changes({ source: 'docs' }))).toEqual(wanted);
  }
});

test('the changes of a source are found by an index that ends in seq', async () => {
  const folder = await newFolder();
  await (await openSqliteHubStore({ folder }))[Symbol.asyncDispose]();
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  const plan = `EXPLAIN QUERY PLAN SELECT * FROM changes WHERE body ->> '$.source' = 'a' AND seq > 7 ORDER BY seq LIMIT 5`;
  expect(JSON.stringify(database.prepare(plan).all())).toContain('USING INDEX hub_changes (<expr>=? AND rowid>?)');
  const newest = `EXPLAIN QUERY PLAN SELECT id FROM changes WHERE body ->> '$.source' = 'a' ORDER BY seq DESC LIMIT 1`;
  const steps = JSON.stringify(database.prepare(newest).all());
  expect(steps).toContain('USING INDEX hub_changes (<expr>=?)');
  expect(steps).not.toContain('TEMP B-TREE');
  const told = `EXPLAIN QUERY PLAN SELECT 1 FROM changes WHERE body ->> '$.source' = 'a' AND body ->> '$.url' = 'u' AND ${IS_TOLD_PAGE}`;
  expect(JSON.stringify(database.prepare(told).all())).toContain('USING INDEX hub_told_pages (<expr>=? AND <expr>=?)');
  database.close();
});

test('a text that was stored beside the log is a snapshot of the hub too', async () => {
  const folder = await newFolder();
  const log = await openSqliteLog({ folder });
  const name = await log.snapshots.put('text');
  await log.close();
  await using store = await openSqliteHubStore({ folder });
  expect(await store.snapshot(name)).toBe('text');
});

test('large snapshots are compressed, and a damaged one is said to be so', async () => {
  const folder = await newFolder();
  const [name, text] = ['sha256:1', 'many words '.repeat(10_000)];
  {
    await using store = await openSqliteHubStore({ folder });
    await store.commit({ source: 'docs', drafts: [], snapshots: new Map([[name, text]]) });
  }
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  const { size } = database.prepare('SELECT length(content) AS size FROM hub_snapshots').get() as { size: number };
  expect(size).toBeLessThan(text.length / 10);
  database.exec(`UPDATE hub_snapshots SET content = x'ffffff'`);
  database.close();
  await using store = await openSqliteHubStore({ folder });
  await expect(store.snapshot(name)).rejects.toMatchObject({ name: 'StateCorruptError' });
});

const PAGE_LINES = Array.from({ length: 60 }, (_, at) => `Line ${at} says ${Math.sqrt(at)} of the page and no more.`);

/** Edits a page once, from the text that it has to another one. */
async function commitEdition(
  store: HubStore,
  edition: number,
): Promise<{ readonly name: string; readonly text: string }> {
  const [before, text] = [edition - 1, edition].map((at) => PAGE_LINES.with(at % 60, `Edition ${at}.`).join('\n'));
  const [former = '', name = ''] = [before, text].map((each = '') => `sha256:${hash('sha256', each, 'hex')}`);
  const drafts = [{ ...DRAFT, provenance: { by: 'compare', before: former, after: name } }];
  await store.commit({ source: 'docs', drafts, snapshots: new Map([[name, text ?? '']]) });
  return { name, text: text ?? '' };
}

test('what a page says is stored as what sets it apart from what it said before', async () => {
  const folder = await newFolder();
  const editions: { readonly name: string; readonly text: string }[] = [];
  {
    await using store = await openSqliteHubStore({ folder });
    for (let edition = 1; edition <= 20; edition += 1) editions.push(await commitEdition(store, edition));
  }
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  const { size } = database.prepare('SELECT sum(length(content)) AS size FROM hub_snapshots WHERE rowid > 1').get() as {
    size: number;
  };
  expect(size / 19).toBeLessThan(100);
  await using store = await openSqliteHubStore({ folder, readonly: true });
  for (const { name, text } of editions) expect(await store.snapshot(name)).toBe(text);
  database.exec('DELETE FROM hub_snapshots WHERE rowid = 1');
  database.close();
  await expect(store.snapshot(editions[1]?.name ?? '')).rejects.toMatchObject({ name: 'StateCorruptError' });
});

/** The texts of a hub before format 5: by their names, not by the bytes of their hashes. */
const TEXTS_BY_NAME = `
  ALTER TABLE hub_snapshots RENAME TO later;
  CREATE TABLE hub_snapshots (
    checksum TEXT PRIMARY KEY, last_used_ms INTEGER NOT NULL, is_deflated INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT;
  INSERT INTO hub_snapshots SELECT 'sha256:' || lower(hex(checksum)), last_used_ms, is_deflated, content FROM later;
  DROP TABLE later;
  CREATE INDEX hub_snapshots_by_use ON hub_snapshots (last_used_ms);
`;

test.each([2, 3, 4])('a hub of format %i goes on, its texts and checks are read where they are', async (version) => {
  const folder = await newFolder();
  const check = { source: 'docs', atMs: 1, tookMs: 1, outcome: 'ok', changes: 1 } as const;
  const first = await (async () => {
    await using store = await openSqliteHubStore({ folder });
    await store.putSources([SOURCE]);
    return await commitEdition(store, 1);
  })();
  const checks = `INSERT INTO hub_checks VALUES ('docs', 1, 1, '${JSON.stringify(check)}')`;
  await runSql(
    folder,
    `${TEXTS_BY_NAME} UPDATE hub_format SET version = ${version}; UPDATE hub_sources SET checks = 1; ${checks}`,
  );
  {
    await using reader = await openSqliteHubStore({ folder, readonly: true });
    expect(await reader.snapshot(first.name)).toBe(first.text);
    expect(await reader.checksOf('docs', 5)).toEqual([check]);
  }
  await using store = await openSqliteHubStore({ folder });
  const second = await commitEdition(store, 2);
  const next = { ...check, atMs: 2 };
  await store.recordChecks([{ check: next, health: SOURCE.health }]);
  expect(await store.checksOf('docs', 5)).toEqual([next, check]);
  for (const { name, text } of [first, second]) expect(await store.snapshot(name)).toBe(text);
  await store.commit({
    source: 'docs',
    drafts: [],
    pages: { put: [{ ...page('1'), snapshot: first.name }], remove: [] },
  });
  await store.dropSnapshots(Date.now() + 1e9);
  expect([await store.snapshot(first.name), await store.snapshot(second.name)]).toEqual([first.text, undefined]);
  const database = await openRawDatabase(join(folder, 'tidings.db'), { readonly: true });
  expect(database.prepare('SELECT version FROM hub_format').all()).toEqual([{ version: 5 }]);
  database.close();
});

test('a hub of a later format is refused to writers and readers, and the folder is free again', async () => {
  const folder = await newFolder();
  await (await openSqliteHubStore({ folder }))[Symbol.asyncDispose]();
  await runSql(folder, 'UPDATE hub_format SET version = 6');
  for (const readonly of [false, true, false]) {
    await expect(openSqliteHubStore({ folder, readonly })).rejects.toThrow(/format 6, .* knows 5\..*Upgrade Tidings/);
  }
  await (await openSqliteLog({ folder })).close();
});

test('a closed store says so', async () => {
  const store = await openSqliteHubStore({ folder: await newFolder() });
  await store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  for (const write of writesOf(store)) await expect(write()).rejects.toThrow('The log is closed.');
  await expect(store.sources()).rejects.toThrow('The log is closed.');
});

test('when the disk is full, nothing of a write is kept, reads go on, and so do writes once there is room', async () => {
  const { store, database } = await openOverDatabase();
  await using _ = store;
  const kept = await store.commit({ source: 'docs', drafts: [DRAFT] });
  await store.putSources([SOURCE]);
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const big = { ...DRAFT, note: 'x'.repeat(100_000) };
  const full = { name: 'LogFullError', recovery: 'retry-later' };
  const changes = [big];
  const state = { source: 'docs', entry: 'e', dialect: 'd' };
  await expect(store.commit({ source: 'docs', drafts: [DRAFT, big] })).rejects.toMatchObject(full);
  await expect(store.putFact('big', big.note)).rejects.toMatchObject(full);
  await expect(
    store
      .followStateOf('docs')
      .commit({ state, seenIds: ['1'], checksums: [], items: [], pending: [], settledIds: [], changes }),
  ).rejects.toMatchObject(full);
  expect(await collect(store.changes({}))).toEqual(kept);
  expect(await store.sources()).toEqual([SOURCE]);
  expect(await store.followStateOf('docs').seenAmong('docs', ['1'])).toEqual(new Set());
  database.exec('PRAGMA max_page_count = 100000');
  expect(await store.commit({ source: 'docs', drafts: [big] })).toMatchObject([{ seq: 2 }]);
});

test('what is written of many pages before the disk is full is told, with its pages, and the rest can be told later', async () => {
  const { store, database } = await openOverDatabase();
  await using _ = store;
  const heard: Change[] = [];
  store.onChanges((changes) => heard.push(...changes));
  const drafts = Array.from({ length: 2000 }, (_, at) => ({
    ...DRAFT,
    url: `${DRAFT.url}${at}`,
    note: 'x'.repeat(500),
  }));
  const put = drafts.map(({ url }) => ({
    record: { url, file: 'f', extractor: '1', line: Buffer.from(`{"url":"${url}"}`) },
  }));
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages + 150}`);
  const commit = { source: 'docs', drafts, pages: { put, remove: [] } };
  await expect(store.commit(commit)).rejects.toMatchObject({ name: 'LogFullError' });
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.length).toBeLessThan(drafts.length);
  expect(await collect(store.changes({}))).toEqual(heard);
  const { pages: known } = await store.pagesOf('docs');
  expect(new Set(known.keys())).toEqual(new Set(heard.map(({ url }) => url)));
  database.exec('PRAGMA max_page_count = 100000');
  const left = drafts.filter(({ url }) => !known.has(url));
  await store.commit({ source: 'docs', drafts: left });
  expect(heard.map(({ url }) => url)).toEqual(drafts.map(({ url }) => url));
  expect(new Set(heard.map(({ time }) => time)).size).toBe(2);
});

test('no more than 200 changes are written before others have their turn', async () => {
  const { store, database } = await openOverDatabase();
  await using _ = store;
  const count = () => (database.prepare('SELECT count(*) AS rows FROM changes').get() as { rows: number }).rows;
  const drafts = Array.from({ length: 1500 }, (_, at) => ({ ...DRAFT, url: `${DRAFT.url}${at}` }));
  const steps: number[] = [];
  let isDone = false;
  const done = store.commit({ source: 'docs', drafts }).finally(() => {
    isDone = true;
  });
  for (let before = 0; !isDone; ) {
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(count() - before);
    before = count();
  }
  await done;
  expect(Math.max(...steps)).toBeLessThanOrEqual(200);
});

test('when the disk is read-only, writes say so, reads go on, and so do writes later', async () => {
  const { store, database } = await openOverDatabase();
  await using _ = store;
  const kept = await store.commit({ source: 'docs', drafts: [DRAFT] });
  database.exec('PRAGMA query_only = ON');
  for (const write of writesOf(store)) {
    await expect(write()).rejects.toMatchObject({ name: 'LogUnavailableError', recovery: 'retry-later' });
  }
  expect(await collect(store.changes({}))).toEqual(kept);
  database.exec('PRAGMA query_only = OFF');
  for (const write of writesOf(store)) await write();
});

function writesOf(store: HubStore): (() => Promise<unknown>)[] {
  return [
    () => store.commit({ source: 'docs', drafts: [DRAFT] }),
    () => store.putSources([SOURCE]),
    () => store.removeSource('docs'),
    () => store.putFact('name', 'value'),
  ];
}

/** With the handle of the store in hand, to take its room away. */
async function openOverDatabase(): Promise<{ store: SqliteHubStore; database: SqliteDatabase }> {
  const folder = await newFolder();
  await (await openSqliteHubStore({ folder }))[Symbol.asyncDispose]();
  const opened = await openLogDatabase({ folder });
  return { store: new SqliteHubStore(opened, Date.now), database: opened.database };
}

async function collect(changes: AsyncIterable<Change>): Promise<Change[]> {
  const collected: Change[] = [];
  for await (const change of changes) collected.push(change);
  return collected;
}

async function runSql(folder: string, sql: string): Promise<void> {
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  database.exec(sql);
  database.close();
}

async function tablesOf(folder: string): Promise<string[]> {
  const database = await openRawDatabase(join(folder, 'tidings.db'), { readonly: true });
  const rows = database.prepare('SELECT name FROM sqlite_schema').all() as { name: string }[];
  database.close();
  return rows.map(({ name }) => name);
}
