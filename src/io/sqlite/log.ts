import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { StepsMaker } from '../../hub/store/step-store.ts';
import type { Log, ReadRange, Snapshots } from '../../log/log.ts';
import { type LogEnd, placeChanges } from '../../log/place-changes.ts';
import { readBounds } from '../../log/read-bounds.ts';
import { withoutExcerpts } from '../../log/without-excerpts.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { FolderGuard } from '../files/folder-guard.ts';
import {
  explainSqliteError,
  inTransaction,
  moveIntoMainFile,
  openDatabase,
  type SqliteDatabase,
  type SqliteStatement,
} from './database.ts';
import { ensureExists, ensureNotEmpty, makeOwnFolder } from './log-place.ts';
import { changeRows, decodeRow, ensureSchema } from './log-schema.ts';
import { SqliteSnapshots } from './snapshots.ts';
import { lockFolder, type WriterLock } from './writer-lock.ts';

interface LogSources {
  readonly now?: () => number;
  readonly random?: (size: number) => Uint8Array;
  /** Whether what is appended keeps texts of pages: true unless it is said otherwise. */
  readonly excerpts?: boolean | undefined;
}

export interface SqliteLogOptions extends LogSources {
  /** Holds `tidings.db`; made when a writer finds none. */
  readonly folder: string;
  /** Whether a folder without a log gets a new one: true unless it is said otherwise. */
  readonly mayCreate?: boolean;
  /** Its last commits can be made again where a power cut takes them: they need not wait for the disk. */
  readonly isExpendable?: boolean;
  /** Readers may be many, in any process, beside the one writer. They cannot append. */
  readonly readonly?: boolean;
}

export const DATABASE_FILE = 'tidings.db';
/** Rows fetched at once: each page of rows is one view of the log, which whole batches have entered. */
const PAGE_ROWS = 500;
/** Rows of one statement in a large batch: most of the cost of an insert is that of its call. */
const INSERT_ROWS = 25;

/** Databases of replaced folders: on closing, SQLite deletes a write-ahead log by its name, which may belong to others now. */
const ABANDONED = new Set<SqliteDatabase>();

/** A log, and the one handle on its file, for code that keeps separate tables beside it. Closing the log closes it. */
export interface LogDatabase {
  readonly log: SqliteLog;
  readonly database: SqliteDatabase;
  readonly file: string;
  /** In a hub of several processes: how tables beside the log are written. */
  readonly steps?: StepsMaker;
}

export async function openSqliteLog(options: SqliteLogOptions): Promise<SqliteLog> {
  const { log } = await openLogDatabase(options);
  return log;
}

export async function openLogDatabase(options: SqliteLogOptions): Promise<LogDatabase> {
  const file = join(options.folder, DATABASE_FILE);
  if (options.readonly) return await openForReading(file);
  makeOwnFolder(options.folder);
  const lock = await lockFolder(options.folder, 'open the log');
  try {
    if (options.mayCreate === false) await ensureNotEmpty(file);
    return await connect(file, options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The log in any database of ours, for reading: that of a data folder, or of a follower. */
export async function openSqliteLogFile(file: string): Promise<SqliteLog> {
  const { log } = await openForReading(file);
  return log;
}

async function openForReading(file: string): Promise<LogDatabase> {
  await ensureExists(file);
  return connect(file, {}, undefined);
}

/** A log in one SQLite file. Appends run one after another on the calling thread. */
export class SqliteLog implements Log {
  readonly snapshots: Snapshots;
  readonly #database: SqliteDatabase;
  readonly #file: string;
  readonly #lock: WriterLock | undefined;
  readonly #now: () => number;
  readonly #random: (size: number) => Uint8Array;
  readonly #hasExcerpts: boolean;
  readonly #insertOne: SqliteStatement;
  readonly #insertMany: SqliteStatement;
  readonly #select: SqliteStatement;
  readonly #selectLast: SqliteStatement;
  /** Undefined when the log is empty; `unknown` when the database must be asked. */
  #end: LogEnd | undefined | 'unknown' = 'unknown';
  #open = true;
  /** While changes are taken in that have their places already. */
  #isInserting = false;
  /** For a writer: the folder, the database and the lock as they were when it opened them. */
  readonly #guard: FolderGuard | undefined;

  /** Use {@link openSqliteLog}. Without a lock it only reads. */
  constructor(database: SqliteDatabase, file: string, lock: WriterLock | undefined, options: LogSources) {
    this.#database = database;
    this.#file = file;
    this.#lock = lock;
    this.#guard = lock === undefined ? undefined : new FolderGuard([dirname(file), file, lock.file]);
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? randomBytes;
    this.#hasExcerpts = options.excerpts ?? true;
    this.#insertOne = database.prepare('INSERT INTO changes (seq, id, body) VALUES (?, ?, ?)');
    this.#insertMany = database.prepare(
      `INSERT INTO changes (seq, id, body) VALUES ${Array(INSERT_ROWS).fill('(?, ?, ?)').join(', ')}`,
    );
    this.#select = database.prepare('SELECT seq, id, body FROM changes WHERE seq > ? ORDER BY seq LIMIT ?');
    this.#selectLast = database.prepare('SELECT seq, id, body FROM changes ORDER BY seq DESC LIMIT 1');
    this.snapshots = new SqliteSnapshots(database, file);
  }

  async append(drafts: readonly ChangeDraft[]): Promise<Change[]> {
    return this.appendWith(drafts);
  }

  /**
   * Appends, in one transaction with what `alsoWrite` writes to the same database: durable when it returns. What
   * either of them throws leaves nothing of both. With `isMore` the changes belong to the batch that was appended last.
   */
  appendWith(
    drafts: readonly ChangeDraft[],
    alsoWrite?: (changes: readonly Change[]) => void,
    { isMore = false }: { readonly isMore?: boolean } = {},
  ): Change[] {
    this.#ensureWritable();
    if (this.#isInserting) return this.#writeAlong(drafts, alsoWrite);
    const last = this.#end === 'unknown' ? this.#readLast() : this.#end;
    const kept = this.#hasExcerpts ? drafts : drafts.map(withoutExcerpts);
    const changes = placeChanges(kept, { last, nowMs: this.#now(), random: this.#random, isMore });
    if (changes.length === 0 && alsoWrite === undefined) return changes;
    this.#insert(changes, last, () => alsoWrite?.(changes));
    return changes;
  }

  /**
   * Takes in changes that have their places already, in one transaction with what `alsoWrite` writes; what is written through this log from
   * within belongs to the same transaction. They follow on the newest change.
   */
  insertWith(changes: readonly Change[], alsoWrite: () => void): void {
    this.#ensureWritable();
    const last = this.#end === 'unknown' ? this.#readLast() : this.#end;
    const [first, end] = [changes[0]?.seq, last?.seq ?? 0];
    if (first !== undefined && first !== end + 1) {
      const what = `change ${first} does not follow on change ${end}.`;
      throw new StateCorruptError(this.#file, what, 'Move the data folder away: it is filled again from the database.');
    }
    this.#isInserting = true;
    try {
      this.#insert(changes, last, alsoWrite);
    } finally {
      this.#isInserting = false;
    }
  }

  /** Why nothing can be appended any more: the folder, the database or the lock was replaced. */
  get lost(): string | undefined {
    return this.#guard?.lost;
  }

  read(range: ReadRange = {}): AsyncGenerator<Change> {
    return this.readPaged(range, (after, limit) => this.#select.all(after, limit));
  }

  /** Like `read`, for the changes whose rows `select` gives: in order of `seq`, after `after`. */
  async *readPaged(
    range: ReadRange,
    select: (after: number, limit: number) => readonly unknown[],
  ): AsyncGenerator<Change> {
    const { after, limit } = readBounds(range);
    let seq = after;
    let left = limit;
    while (left > 0) {
      const wanted = Math.min(left, PAGE_ROWS);
      const rows = this.ask(() => select(seq, wanted));
      for (const row of rows) {
        const change = decodeRow(row, this.#file);
        yield change;
        seq = change.seq;
      }
      if (rows.length < wanted) return;
      left -= wanted;
    }
  }

  /** Runs a read of the same database: what it throws is what a read of the log throws. */
  ask<T>(read: () => T): T {
    this.#ensureOpen();
    try {
      return read();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }

  async last(): Promise<Change | undefined> {
    return this.#readLast();
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    if (this.lost !== undefined) ABANDONED.add(this.#database);
    try {
      if (ABANDONED.has(this.#database)) return;
      if (this.#lock !== undefined) moveIntoMainFile(this.#database);
      this.#database.close();
    } finally {
      await this.#lock?.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #insert(changes: readonly Change[], last: LogEnd | undefined, alsoWrite: () => void): void {
    this.#end = 'unknown';
    try {
      inTransaction(this.#database, () => {
        this.#insertAll(changes);
        alsoWrite();
      });
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
    this.#end = endOf(changes.at(-1) ?? last);
  }

  #writeAlong(drafts: readonly ChangeDraft[], alsoWrite?: (changes: readonly Change[]) => void): Change[] {
    if (drafts.length > 0) throw new Error('Changes get their places elsewhere.');
    alsoWrite?.([]);
    return [];
  }

  #insertAll(changes: readonly Change[]): void {
    let at = 0;
    for (; at + INSERT_ROWS <= changes.length; at += INSERT_ROWS) {
      this.#insertMany.run(...changeRows(changes.slice(at, at + INSERT_ROWS)));
    }
    for (const change of changes.slice(at)) this.#insertOne.run(...changeRows([change]));
  }

  #readLast(): Change | undefined {
    const row = this.ask((): unknown => this.#selectLast.get());
    return row === undefined ? undefined : decodeRow(row, this.#file);
  }

  #ensureWritable(): void {
    this.#ensureOpen();
    if (this.#lock === undefined) throw new Error('This log is open for reading only.');
    const { lost } = this;
    if (lost !== undefined) throw new LogUnavailableError(this.#file, new Error(lost));
  }

  #ensureOpen(): void {
    if (!this.#open) throw new Error('The log is closed.');
  }
}

function endOf(last: LogEnd | undefined): LogEnd | undefined {
  return last === undefined ? undefined : { seq: last.seq, id: last.id, time: last.time };
}

async function connect(
  file: string,
  options: LogSources & Pick<SqliteLogOptions, 'mayCreate' | 'isExpendable'>,
  lock: WriterLock | undefined,
): Promise<LogDatabase> {
  const { isExpendable = false } = options;
  const database = await openDatabase(file, { readonly: lock === undefined, isExpendable });
  try {
    ensureSchema(database, file, { create: lock !== undefined && options.mayCreate !== false });
    return { log: new SqliteLog(database, file, lock, options), database, file };
  } catch (error) {
    database.close();
    throw explainSqliteError(file, error);
  }
}
