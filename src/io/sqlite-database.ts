import { isBuiltin } from 'node:module';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LogFullError } from '../errors/log-full-error.ts';
import { LogUnavailableError } from '../errors/log-unavailable-error.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';

export type SqliteDatabase = Pick<DatabaseSyncInstance, 'exec' | 'prepare' | 'close'>;
export type SqliteStatement = Pick<StatementSyncInstance, 'run' | 'get' | 'all'>;

interface SqliteModule {
  readonly DatabaseSync: new (file: string, options: { readOnly: boolean }) => SqliteDatabase;
}

/** https://sqlite.org/rescode.html: the low byte of a result code is its family. */
export const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
/** The shared-memory index of the write-ahead log could not grow: a full disk, seen from another side. */
const SQLITE_IOERR_SHMSIZE = 4874;
const RESTORE = 'Restore it from a backup, or move it away to start a new log.';

/**
 * Opens a database without settings. Throws what SQLite throws.
 *
 * While one is open, no other code of this process may open and close the same file: POSIX drops
 * every lock that a process holds on a file when any of its descriptors for it closes.
 */
export async function openRawDatabase(
  file: string,
  options: { readonly readonly?: boolean } = {},
): Promise<SqliteDatabase> {
  const { DatabaseSync } = await loadSqlite();
  return new DatabaseSync(file, { readOnly: options.readonly ?? false });
}

export interface OpenDatabaseOptions {
  readonly readonly?: boolean;
  /** What is not worth a wait for the disk outlives the process all the same; a power cut may take its last commits. */
  readonly isExpendable?: boolean;
}

/**
 * Opens a database in which a commit is on the disk when it returns, and which other processes
 * may read meanwhile.
 */
export async function openDatabase(file: string, options: OpenDatabaseOptions = {}): Promise<SqliteDatabase> {
  let database: SqliteDatabase | undefined;
  try {
    database = await openRawDatabase(file, options);
    database.exec('PRAGMA busy_timeout = 5000');
    if (options.readonly) return database;
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`PRAGMA synchronous = ${options.isExpendable ? 'NORMAL' : 'FULL'}`);
    // macOS only: its plain fsync leaves the bytes in the drive's cache.
    database.exec('PRAGMA fullfsync = ON');
    return database;
  } catch (error) {
    database?.close();
    throw explainSqliteError(file, error);
  }
}

/** Runs `work` as one transaction: all of it is durable when this returns, or none of it is kept. */
export function inTransaction(database: SqliteDatabase, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** What an SQLite failure means to our callers. Anything that is not one passes through: it is a bug. */
export function explainSqliteError(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (code === SQLITE_IOERR_SHMSIZE) return new LogFullError(file, error);
  switch (code & 0xff) {
    case SQLITE_FULL:
      return new LogFullError(file, error);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new StateCorruptError(file, undefined, 'the database is damaged.', RESTORE, error);
    default:
      return new LogUnavailableError(file, error);
  }
}

export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** SQLite has ended the transaction by itself after some failures; then there is nothing to roll back. */
function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK');
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
  }
}

async function loadSqlite(): Promise<SqliteModule> {
  // A name in a variable: the types of Node 20 do not know this module.
  const builtin: string = 'node:sqlite';
  return isBuiltin(builtin) ? await import(builtin) : await import('@photostructure/sqlite');
}
