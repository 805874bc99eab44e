import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeLog } from '../../log/log.contract.ts';
import type { Log, ReadRange } from '../../log/log.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { openDatabase } from './database.ts';
import { openSqliteLog, SqliteLog } from './log.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-sqlite-log-'));
afterAll(() => rm(root, { recursive: true }));

describeLog('a log in SQLite', async () => {
  const folder = await mkdtemp(join(root, 'log-'));
  return { open: (world) => openSqliteLog({ folder, ...world }) };
});

const DRAFT: ChangeDraft = { source: 'docs', action: 'update', url: 'https://docs.example/' };
const newFolder = () => mkdtemp(join(root, 'log-'));

async function all(log: Log, range?: ReadRange): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of log.read(range)) changes.push(change);
  return changes;
}

test('a reader beside the writer sees each batch once it is stored, and cannot append', async () => {
  const folder = await newFolder();
  const writer = await openSqliteLog({ folder });
  const reader = await openSqliteLog({ folder, readonly: true });
  expect(await all(reader)).toEqual([]);
  const changes = await writer.append([DRAFT, DRAFT]);
  expect(await all(reader)).toEqual(changes);
  expect(await reader.last()).toEqual(changes[1]);
  await expect(reader.append([DRAFT])).rejects.toThrow('reading only');
  await writer.close();
  expect(await all(reader)).toEqual(changes);
  await reader.close();
});

test('a log that its writer has closed can be read', async () => {
  const folder = await newFolder();
  const writer = await openSqliteLog({ folder });
  const changes = await writer.append([DRAFT]);
  await writer.close();
  const reader = await openSqliteLog({ folder, readonly: true });
  expect(await all(reader)).toEqual(changes);
  await reader.close();
});

test('a writer makes its folder; a reader of a place without a log is told so', async () => {
  const folder = join(await newFolder(), 'a', 'b');
  await expect(openSqliteLog({ folder, readonly: true })).rejects.toMatchObject({
    name: 'LogMissingError',
    recovery: 'fix-input',
  });
  await (await openSqliteLog({ folder })).close();
  await (await openSqliteLog({ folder, readonly: true })).close();
});

test('a log that cannot be reached is not said to be missing', async () => {
  const folder = join(await newFolder(), 'circle');
  await symlink(folder, folder);
  await expect(openSqliteLog({ folder, readonly: true })).rejects.toMatchObject({
    name: 'LogUnavailableError',
    recovery: 'retry-later',
    message: expect.stringContaining('ELOOP'),
  });
});

test('the main file of a closed log is a whole copy of it', async () => {
  const [folder, copied] = [await newFolder(), await newFolder()];
  const log = await openSqliteLog({ folder });
  const changes = await log.append([DRAFT, DRAFT]);
  await log.close();
  await copyFile(join(folder, 'tidings.db'), join(copied, 'tidings.db'));
  const copy = await openSqliteLog({ folder: copied });
  expect(await all(copy)).toEqual(changes);
  await copy.close();
});

test('a database of a later version is refused, and the folder is free again', async () => {
  const folder = await newFolder();
  const database = await openDatabase(join(folder, 'tidings.db'));
  database.exec('PRAGMA user_version = 2');
  database.close();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(openSqliteLog({ folder })).rejects.toThrow(/format 2, this Tidings knows 1.*Upgrade Tidings/);
  }
  await expect(openSqliteLog({ folder, readonly: true })).rejects.toThrow(/Upgrade Tidings/);
});

test('a database of something else is refused and not touched', async () => {
  const folder = await newFolder();
  const database = await openDatabase(join(folder, 'tidings.db'));
  database.exec('CREATE TABLE theirs (a)');
  database.close();
  await expect(openSqliteLog({ folder })).rejects.toThrow(/not a log of ours/);
});

test.each(['not a database at all', `SQLite format 3\0${'\x07'.repeat(500)}`])(
  'a damaged database is refused with its name: %j',
  async (content) => {
    const folder = await newFolder();
    await writeFile(join(folder, 'tidings.db'), content);
    const error = expect.objectContaining({ name: 'StateCorruptError', file: join(folder, 'tidings.db') });
    await expect(openSqliteLog({ folder })).rejects.toEqual(error);
    await expect(openSqliteLog({ folder, readonly: true })).rejects.toEqual(error);
  },
);

test('a damaged change is named by its place', async () => {
  const folder = await newFolder();
  const log = await openSqliteLog({ folder });
  await log.append([DRAFT, DRAFT, DRAFT]);
  await log.close();
  const database = await openDatabase(join(folder, 'tidings.db'));
  database.exec(`UPDATE changes SET body = '{"sour' WHERE seq = 2`);
  database.close();
  const damaged = await openSqliteLog({ folder });
  await expect(all(damaged)).rejects.toThrow(/tidings\.db: change 2 is not JSON/);
  await damaged.close();
});

test('a folder that cannot be made is named', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(openSqliteLog({ folder: join(folder, 'file', 'data') })).rejects.toMatchObject({
    name: 'LogUnavailableError',
    recovery: 'retry-later',
  });
});

test('a snapshot is kept under its own fingerprint, to the byte, for readers too', async () => {
  const folder = await newFolder();
  const log = await openSqliteLog({ folder });
  const text = '# Grüße\n\u0000 and on 😀\n';
  const checksum = await log.snapshots.put(text);
  expect(checksum).toBe(`sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`);
  expect(await log.snapshots.put(text)).toBe(checksum);
  expect(await log.snapshots.get(checksum)).toBe(text);
  expect(await log.snapshots.get(await log.snapshots.put(''))).toBe('');
  expect(await log.snapshots.get('sha256:0')).toBeUndefined();
  await log.close();
  const reader = await openSqliteLog({ folder, readonly: true });
  expect(await reader.snapshots.get(checksum)).toBe(text);
  await reader.close();
});

test('when SQLite has no room, nothing of the batch is stored and the log goes on', async () => {
  const folder = await newFolder();
  const file = join(folder, 'tidings.db');
  await (await openSqliteLog({ folder })).close();
  const database = await openDatabase(file);
  const pages = Object.values(database.prepare('PRAGMA page_count').get() as Record<string, number>)[0] ?? 0;
  database.exec(`PRAGMA max_page_count = ${pages + 12}`);
  const log = new SqliteLog(database, file, { file, release: async () => {} }, {});
  const big = Array.from({ length: 100 }, () => ({ ...DRAFT, note: 'x'.repeat(1000) }));
  const kept = await log.append([DRAFT]);
  await expect(log.append(big)).rejects.toMatchObject({ name: 'LogFullError', recovery: 'retry-later', file });
  expect(await all(log)).toEqual(kept);
  expect(await log.append([DRAFT])).toMatchObject([{ seq: 2 }]);
  await log.close();
});
