import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { openRawDatabase, SQLITE_BUSY, sqliteCode } from './database.ts';

/** The file that the one writer of a folder holds: see sqlite-writer-lock.ts. */
const LOCK_FILE = '.lock';

/**
 * Whether somebody writes to a data folder now, checked without taking the lock or leaving anything.
 *
 * A file that a killed writer left is held by nobody.
 */
export async function hasWriter(folder: string): Promise<boolean> {
  const file = join(folder, LOCK_FILE);
  if (!(await isThere(file))) return false;
  let database: Awaited<ReturnType<typeof openRawDatabase>> | undefined;
  try {
    database = await openRawDatabase(file, { readonly: true });
    database.exec('PRAGMA busy_timeout = 0; BEGIN; SELECT count(*) FROM sqlite_schema; ROLLBACK');
    return false;
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    return (code & 0xff) === SQLITE_BUSY;
  } finally {
    database?.close();
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
