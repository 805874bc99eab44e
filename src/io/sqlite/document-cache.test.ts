import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AIDocument } from '../../codecs/aidocument/wire.ts';
import { describeDocumentCache } from '../../crawl/document-cache.contract.ts';
import type { DocumentCache, Snapshot } from '../../crawl/document-cache.ts';
import { readPageDocument } from '../../extract/document/read-page.ts';
import { openRawDatabase } from './database.ts';
import { openSqliteDocumentCache, type SqliteDocumentCacheOptions } from './document-cache.ts';

const FILE = 'documents-1.db';
const KEY = { url: 'https://docs.example/a', variant: 'static' } as const;

describeDocumentCache('sqlite', async (limits) => {
  let nowMs = 0;
  const now = () => {
    nowMs += 3600_000;
    return nowMs;
  };
  return await open(await newFolder(), { limits, now });
});

test('what was kept is there after a restart, and beside another process that has it open', async () => {
  const folder = await newFolder();
  await using first = await open(folder);
  await first.keep(SNAPSHOT);
  await using second = await open(folder);
  expect(await second.find(KEY)).toEqual(SNAPSHOT);
  await second.forget(KEY);
  expect(await first.find(KEY)).toBeUndefined();
});

test('the folder is made, for its owner only', async () => {
  const folder = join(await newFolder(), 'below', 'cache');
  await using _cache = await open(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test.each([
  ['text', 'this is no database\n'.repeat(100)],
  ['a torn database', `SQLite format 3\0${'x'.repeat(5000)}`],
])('a damaged file (%s) is moved aside, said once, and a new one works', async (_, bytes) => {
  const folder = await newFolder();
  await writeFile(join(folder, FILE), bytes);
  const said: string[] = [];
  {
    await using cache = await open(folder, { onProblem: (message) => said.push(message) });
    await cache.keep(SNAPSHOT);
    expect(await cache.find(KEY)).toEqual(SNAPSHOT);
  }
  expect(said).toEqual([expect.stringContaining('damaged')]);
  expect(await readdir(folder)).toContain(`${FILE}.damaged`);
  await using again = await open(folder, { onProblem: (message) => said.push(message) });
  expect(await again.find(KEY)).toEqual(SNAPSHOT);
  expect(said).toHaveLength(1);
});

test('pages that were damaged later cost the copy, not the read, and are said once', async () => {
  const folder = await newFolder();
  {
    await using cache = await open(folder);
    await cache.keep(SNAPSHOT);
  }
  const file = join(folder, FILE);
  const database = await openRawDatabase(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = await readFile(file);
  // The first page, which says what tables there are, stays.
  await writeFile(file, bytes.fill(0xff, 4096));
  const said: string[] = [];
  await using cache = await open(folder, { onProblem: (message) => said.push(message) });
  for (let round = 0; round < 2; round += 1) {
    expect(await cache.find(KEY)).toBeUndefined();
    await cache.keep(SNAPSHOT);
    await cache.forget(KEY);
  }
  expect(said).toHaveLength(1);
});

test('a row that we did not write is no copy', async () => {
  const folder = await newFolder();
  await using cache = await open(folder);
  for (const sql of ["UPDATE documents SET document = x'7b7d'", "UPDATE documents SET details = 'x'"]) {
    await cache.keep(SNAPSHOT);
    const database = await openRawDatabase(join(folder, FILE));
    database.exec(sql);
    database.close();
    expect(await cache.find(KEY), sql).toBeUndefined();
  }
});

test('a folder that cannot be used gives no cache, and says why', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'file'), '');
  const said: string[] = [];
  const onProblem = (message: string) => said.push(message);
  for (const unusable of [join(folder, 'file', 'cache'), '/proc/nope']) {
    expect(await openSqliteDocumentCache({ folder: unusable, onProblem })).toBeUndefined();
    expect(said.splice(0)).toEqual([expect.stringContaining('documents are not kept')]);
  }
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be written gives no cache', async () => {
  const folder = await newFolder();
  await chmod(folder, 0o500);
  const said: string[] = [];
  const onProblem = (message: string) => said.push(message);
  expect(await openSqliteDocumentCache({ folder, onProblem })).toBeUndefined();
  expect(said).toHaveLength(1);
});

test('a hit writes nothing', async () => {
  const folder = await newFolder();
  await using cache = await open(folder);
  await cache.keep(SNAPSHOT);
  const wal = join(folder, `${FILE}-wal`);
  const before = (await stat(wal)).mtimeMs;
  for (let round = 0; round < 3; round += 1) await cache.find(KEY);
  expect((await stat(wal)).mtimeMs).toBe(before);
});

const DOCUMENT: AIDocument = readPageDocument('<h1>Limits</h1><p>Every account has limits.</p>', KEY.url);
const SNAPSHOT: Snapshot = {
  variant: 'static',
  document: DOCUMENT,
  fetchedAtMs: 100,
  freshUntilMs: 1000,
  validators: { etag: '"1"' },
  caching: {},
  reader: '1',
};

async function open(folder: string, options: Partial<SqliteDocumentCacheOptions> = {}): Promise<DocumentCache> {
  const cache = await openSqliteDocumentCache({ folder, ...options });
  if (cache === undefined) throw new Error('no cache');
  return cache;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-cache-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
