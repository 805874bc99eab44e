import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { explainSqliteError, openDatabase } from './database.ts';

const NOBODY = 65_534;

/** A database as a clean stop leaves it, in a folder whose name means something in a URI. */
async function databaseAtRest() {
  const folder = await mkdtemp(join(tmpdir(), 'tidings a#b?c%41ä-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'x.db');
  const database = await openDatabase(file);
  database.exec('CREATE TABLE t (x); INSERT INTO t VALUES (7); PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  // Its owner lets others read it.
  await chmod(file, 0o644);
  expect(await readdir(folder)).toEqual(['x.db']);
  return { folder, file };
}

/** What `work` returns where nothing can be written in the folder. Root may write everywhere, so it is nobody for so long. */
async function withoutWriting<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  await chmod(folder, 0o555);
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(folder, 0o755);
  }
}

async function readAll(file: string): Promise<unknown> {
  const database = await openDatabase(file, { readonly: true });
  try {
    return database.prepare('SELECT x FROM t').all();
  } finally {
    database.close();
  }
}

test.skipIf(process.platform === 'win32')('a database at rest is read where nothing can be written', async () => {
  const { folder, file } = await databaseAtRest();
  expect(await withoutWriting(folder, () => readAll(file))).toEqual([{ x: 7 }]);
  expect(await readdir(folder)).toEqual(['x.db']);
});

test.skipIf(process.platform === 'win32')('one with changes beside it is not: they would be missing', async () => {
  const { folder, file } = await databaseAtRest();
  await writeFile(`${file}-wal`, 'changes');
  const refusal = { name: 'LogUnavailableError', file };
  await expect(withoutWriting(folder, () => readAll(file))).rejects.toMatchObject(refusal);
});

test.skipIf(process.platform === 'win32')('one that somebody may be writing to is not', async () => {
  const { folder, file } = await databaseAtRest();
  await writeFile(`${file}-shm`, '', { mode: 0o000 });
  const refusal = { name: 'LogUnavailableError', file };
  await expect(withoutWriting(folder, () => readAll(file))).rejects.toMatchObject(refusal);
});

// What a user may is asked of the real one, which root stays.
test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a writer hears what is in its way', async () => {
  const { folder } = await databaseAtRest();
  const written = withoutWriting(folder, () => openDatabase(join(folder, 'y.db')));
  await expect(written).rejects.toThrow(`${folder} cannot be written: this user may not`);
});

test('what no permission explains is told in the words of SQLite', async () => {
  const missing = join(tmpdir(), 'tidings-not-there', 'x.db');
  const error: unknown = await openDatabase(missing, { readonly: true }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LogUnavailableError);
  expect(error).toMatchObject({ message: expect.stringContaining('unable to open database file') });
  expect(explainSqliteError(missing, new TypeError('a bug'))).toBeInstanceOf(TypeError);
});
