import { statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LogFullError, LogUnavailableError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { keepFilesPrivate } from '../files/keep-private.ts';
import { writeRefusalOf } from '../files/write-refusal.ts';

export type SqliteDatabase = Pick<DatabaseSyncInstance, 'exec' | 'prepare' | 'close'>;
/** One that was opened with `allowExtension`. */
export type ExtensibleDatabase = SqliteDatabase & Pick<DatabaseSyncInstance, 'enableLoadExtension' | 'loadExtension'>;
export type SqliteStatement = Pick<StatementSyncInstance, 'run' | 'get' | 'all'>;

interface SqliteModule {
  readonly DatabaseSync: new (file: string, options: RawOptions) => ExtensibleDatabase;
}

interface RawOptions {
  readonly readOnly: boolean;
  readonly allowExtension: boolean;
}

/** https://sqlite.org/rescode.html: the low byte of a result code is its family. */
export const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** The shared-memory index of the write-ahead log could not grow: a full disk, seen from another side. */
const SQLITE_IOERR_SHMSIZE = 4874;
const IN_MEMORY = ':memory:';
const RESTORE = 'Restore it from a backup, or move it away to start a new log.';

/**
 * Opens a database without settings. One that may be written is closed to other users. Throws what SQLite throws.
 *
 * While one is open, no other code of this process may open and close the same file: POSIX drops
 * every lock that a process holds on a file when any of its descriptors for it closes.
 */
export async function openRawDatabase(
  file: string,
  options: Pick<OpenDatabaseOptions, 'readonly' | 'allowExtension'> = {},
): Promise<ExtensibleDatabase> {
  const { DatabaseSync } = await loadSqlite();
  const { readonly = false, allowExtension = false } = options;
  const isOwn = !readonly && file !== IN_MEMORY;
  if (isOwn) ensureWritable(file);
  const database = new DatabaseSync(file, { readOnly: readonly, allowExtension });
  // What SQLite puts beside a database later has the mode of its main file.
  if (isOwn) keepFilesPrivate(['', '-wal', '-shm'].map((ending) => file + ending));
  return database;
}

/** For an existing file that cannot be written, SQLite silently opens a reader, for which no lock is exclusive. */
function ensureWritable(file: string): void {
  const refusal = writeRefusalOf(dirname(resolve(file)));
  if (refusal === undefined) return;
  throw Object.assign(new Error(`it cannot be written: ${refusal}`), { errcode: SQLITE_READONLY });
}

export interface OpenDatabaseOptions {
  readonly readonly?: boolean;
  /** What is not worth a wait for the disk outlives the process all the same; a power cut may take its last commits. */
  readonly isExpendable?: boolean;
  /** Extensions can be loaded once `enableLoadExtension` is called, too. */
  readonly allowExtension?: boolean;
}

/** Opens a database in which a commit is on the disk when it returns, and which other processes may read at the same time. */
export async function openDatabase(file: string, options: OpenDatabaseOptions = {}): Promise<ExtensibleDatabase> {
  if (options.readonly) return openForReading(file, options);
  let database: ExtensibleDatabase | undefined;
  try {
    database = await openRawDatabase(file, options);
    database.exec('PRAGMA busy_timeout = 5000');
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

async function openForReading(file: string, options: OpenDatabaseOptions): Promise<ExtensibleDatabase> {
  try {
    return await openReadable(file, options);
  } catch (error) {
    if (!isUnwritable(error) || !isAtRest(file)) throw explainSqliteError(file, error);
    // Without this parameter even a reader needs a file beside the database: https://sqlite.org/wal.html#readonly
    return await openReadable(`${pathToFileURL(resolve(file)).href}?immutable=1`, options).catch(() => {
      throw explainSqliteError(file, error);
    });
  }
}

async function openReadable(name: string, { allowExtension }: OpenDatabaseOptions): Promise<ExtensibleDatabase> {
  const database = await openRawDatabase(name, { readonly: true, ...(allowExtension && { allowExtension }) });
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    // SQLite opens what it needs when it first reads.
    database.exec('PRAGMA schema_version');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether all of a database is in its main file and nobody is writing to it: as a clean stop leaves it. */
function isAtRest(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return false;
  const index = statSync(`${file}-shm`, { throwIfNoEntry: false });
  return index === undefined || writeRefusalOf(dirname(file)) === 'read-only disk';
}

function isUnwritable(error: unknown): boolean {
  const family = (sqliteCode(error) ?? 0) & 0xff;
  return family === SQLITE_CANTOPEN || family === SQLITE_READONLY;
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

/**
 * Leaves a database whole in its main file alone, so that this file is a backup; called before it is closed. SQLite does so by itself only
 * once every statement is gone, which is up to the garbage collector. Where it cannot be done (a full disk), the write-ahead
 * log keeps the rest, as after a crash.
 */
export function moveIntoMainFile(database: SqliteDatabase): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
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
      return new StateCorruptError(file, 'the database is damaged.', RESTORE, { cause: error });
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      return explainUnwritable(file, error);
    default:
      return new LogUnavailableError(file, error);
  }
}

/** SQLite does not say what is in its way. */
function explainUnwritable(file: string, error: unknown): LogUnavailableError {
  const folder = dirname(resolve(file));
  const refusal = writeRefusalOf(folder);
  if (refusal === undefined) return new LogUnavailableError(file, error);
  const because = refusal === 'read-only disk' ? 'its disk is mounted read-only' : 'this user may not';
  return new LogUnavailableError(file, new Error(`${folder} cannot be written: ${because}`, { cause: error }));
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
