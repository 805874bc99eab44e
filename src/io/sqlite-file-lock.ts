import { FollowLockedError } from '../errors/follow-error.ts';
import {
  explainSqliteError,
  openRawDatabase,
  SQLITE_BUSY,
  type SqliteDatabase,
  sqliteCode,
} from './sqlite-database.ts';

export interface FileLock {
  release(): void;
}

/**
 * Takes the one follower's place at `file`, or fails with {@link FollowLockedError}.
 *
 * The lock is that of SQLite on an empty file beside it, which the operating system drops when the process dies.
 * That file stays: removing it could hand the place to two at once.
 */
export async function lockStateFile(file: string): Promise<FileLock> {
  let database: SqliteDatabase | undefined;
  try {
    const opened = await openRawDatabase(`${file}.lock`);
    database = opened;
    // Without a journal on disk the lock file is the only file, and it stays empty.
    opened.exec('PRAGMA busy_timeout = 100; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => opened.close() };
  } catch (error) {
    database?.close();
    if (((sqliteCode(error) ?? 0) & 0xff) === SQLITE_BUSY) throw new FollowLockedError(file);
    throw explainSqliteError(file, error);
  }
}
