import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LogLockedError } from '../../errors/log-error.ts';
import { explainSqliteError, openRawDatabase, SQLITE_BUSY, type SqliteDatabase, sqliteCode } from './database.ts';

/** The right to write to one place, until released or until the process ends, however it ends. */
export interface WriterLock {
  /** What is held. */
  readonly file: string;
  release(): Promise<void>;
}

const LOCK_FILE = '.lock';
/** Two processes that start at the same instant can refuse each other, so this is retried. */
const ATTEMPTS = 5;
const ATTEMPT_PAUSE_MS = 20;

/**
 * Takes the one writer's place in `folder`, or fails with {@link LogLockedError}.
 *
 * `purpose` completes "Cannot …" in the message: `publish`, `open the log`.
 */
export async function lockFolder(folder: string, purpose: string): Promise<WriterLock> {
  const lock = await lockFile(join(folder, LOCK_FILE));
  if (lock === undefined) throw new LogLockedError(folder, purpose);
  return lock;
}

/**
 * Holds `file`, which exists for this alone, or undefined when somebody else does.
 *
 * The lock is that of SQLite on an empty file: the operating system drops it when the process dies, and the same code serves every platform. A file that a
 * killed process leaves locks nothing.
 */
export async function lockFile(file: string): Promise<WriterLock | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (attempt > 1) await pause(ATTEMPT_PAUSE_MS * (1 + Math.random()));
    const database = await tryLock(file);
    if (database !== undefined) return { file, release: await releaseOnce(file, database) };
  }
  return undefined;
}

/**
 * A holder removes the file when it leaves. A process that opened the file before that, and locks it after, holds a file without a path; comparing the file at
 * the path before and after detects this.
 */
async function tryLock(file: string): Promise<SqliteDatabase | undefined> {
  let database: SqliteDatabase | undefined;
  try {
    const before = (await identityOf(file)) ?? (await createAt(file));
    database = await openRawDatabase(file);
    // Without a journal on disk the lock file is the only file, and it stays empty. No prepared statements:
    // one that waits for the garbage collector would keep the lock beyond its release.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    if (before !== undefined && before === (await identityOf(file))) return database;
  } catch (error) {
    if (((sqliteCode(error) ?? 0) & 0xff) !== SQLITE_BUSY) {
      database?.close();
      throw explainSqliteError(file, error);
    }
  }
  database?.close();
  return undefined;
}

/** Also made by SQLite: if this process closed a separate handle, it would drop its locks on the file. */
async function createAt(file: string): Promise<string | undefined> {
  const database = await openRawDatabase(file);
  database.close();
  return identityOf(file);
}

/** An inode number alone may be given out again at once. */
async function identityOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino, birthtimeNs } = await stat(file, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file is removed while the lock is still held, and only if it is the locked one: the folder may have been replaced. */
async function releaseOnce(file: string, database: SqliteDatabase): Promise<() => Promise<void>> {
  const held = await identityOf(file);
  let released: Promise<void> | undefined;
  const leave = async () => {
    if ((await identityOf(file)) === held) await rm(file, { force: true });
  };
  return () => {
    released ??= leave().finally(() => database.close());
    return released;
  };
}
