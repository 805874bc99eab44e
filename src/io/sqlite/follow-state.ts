import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import type { ReaderState } from '../../dialects/agent-feed/read/reader-state.ts';
import type { KnownItem } from '../../dialects/feed-change.ts';
import type { StorageKind } from '../../dialects/reader.ts';
import { followLockedError } from '../../errors/state-refusals.ts';
import type {
  FollowState,
  PendingEvent,
  SourceState,
  StoredChecksums,
  TakenCommit,
} from '../../follow/follow-state.ts';
import { placeEach } from '../../log/place-changes.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import {
  explainSqliteError,
  inTransaction,
  moveIntoMainFile,
  openDatabase,
  type SqliteDatabase,
  type SqliteStatement,
} from './database.ts';
import { ensureFollowSchema, inspectStateFile } from './follow-schema.ts';
import { decodeStored, FollowTables } from './follow-tables.ts';
import { decodeRow, encodeBody } from './log-schema.ts';
import { createSqliteReaderState } from './reader-state.ts';
import { lockFile, type WriterLock } from './writer-lock.ts';

const PAGE_ROWS = 500;

export interface SqliteFollowStateOptions {
  /** Made if there is none. */
  readonly file: string;
  readonly now?: () => number;
  readonly random?: (size: number) => Uint8Array;
}

export async function openSqliteFollowState(options: SqliteFollowStateOptions): Promise<SqliteFollowState> {
  const { file } = options;
  const lock = await lockFile(`${file}.lock`);
  if (lock === undefined) throw followLockedError(file);
  let database: SqliteDatabase | undefined;
  try {
    if (await exists(file)) await inspectStateFile(file);
    database = await openDatabase(file);
    ensureFollowSchema(database, file);
    return new SqliteFollowState(database, lock, options);
  } catch (error) {
    database?.close();
    await lock.release();
    throw explainSqliteError(file, error);
  }
}

/** A follower's state and the log of what it handed on, in one SQLite file. */
export class SqliteFollowState implements FollowState {
  readonly #database: SqliteDatabase;
  readonly #lock: WriterLock;
  readonly #file: string;
  readonly #now: () => number;
  readonly #random: (size: number) => Uint8Array;
  readonly #sql: Statements;
  readonly #tables: FollowTables;
  #lastChange: Change | undefined;
  #readerState: ReaderState | undefined;

  /** Use {@link openSqliteFollowState}. */
  constructor(database: SqliteDatabase, lock: WriterLock, options: SqliteFollowStateOptions) {
    this.#database = database;
    this.#lock = lock;
    this.#file = options.file;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? randomBytes;
    this.#sql = prepare(database);
    this.#tables = new FollowTables(database, 'follow', options.file);
    const last: unknown = this.#sql.lastChange.get();
    this.#lastChange = last === undefined ? undefined : decodeRow(last, options.file);
  }

  async find(entry: string): Promise<SourceState | undefined> {
    const row = this.#read(() => this.#sql.source.get(entry)) as { readonly body: string } | undefined;
    return row === undefined ? undefined : (decodeStored(row.body, this.#file) as SourceState);
  }

  async isTaken(source: string): Promise<boolean> {
    return this.#read(() => this.#sql.taken.get(source)) !== undefined;
  }

  async seenAmong(source: string, ids: readonly string[]): Promise<Set<string>> {
    return this.#read(() => this.#tables.seenAmong(source, ids));
  }

  async checksumsOf(source: string, pages: readonly string[]): Promise<StoredChecksums> {
    return this.#read(() => this.#tables.checksumsOf(source, pages));
  }

  async itemsAmong(source: string, keys: readonly string[]): Promise<Map<string, KnownItem>> {
    return this.#read(() => this.#tables.itemsAmong(source, keys));
  }

  async liveItemsOn(source: string, page: string, most: number): Promise<string[]> {
    return this.#read(() => this.#tables.liveItemsOn(source, page, most));
  }

  async pendingOf(source: string): Promise<PendingEvent[]> {
    return this.#read(() => this.#tables.pendingOf(source));
  }

  async commit(commit: TakenCommit): Promise<void> {
    const { state, changes } = commit;
    let last = this.#lastChange;
    this.#read(() =>
      inTransaction(this.#database, () => {
        this.#sql.putSource.run(state.source, state.entry, JSON.stringify(state));
        this.#tables.write(state.source, commit);
        for (const change of this.#place(changes)) {
          this.#sql.putChange.run(change.seq, change.id, encodeBody(change));
          last = change;
        }
      }),
    );
    this.#lastChange = last;
  }

  /** What was handed over after `after`, in the order of the log. */
  async *changes(after: number): AsyncGenerator<Change, void> {
    let seq = after;
    for (;;) {
      const rows = this.#read((): readonly unknown[] => this.#sql.changesAfter.all(seq, PAGE_ROWS));
      for (const row of rows) {
        const change = this.#read(() => decodeRow(row, this.#file));
        yield change;
        seq = change.seq;
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  /** A store of a reader's own, in the same file. Its tables are made when the first source wants them. */
  storage<T>(kind: StorageKind<T>): T {
    this.#readerState ??= createSqliteReaderState(this.#database, this.#file, 'reader');
    if (kind.is(this.#readerState)) return this.#readerState;
    throw new Error(`A follower keeps no store of the kind ${kind.name}.`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      moveIntoMainFile(this.#database);
      this.#database.close();
    } finally {
      await this.#lock.release();
    }
  }

  #place(changes: Iterable<ChangeDraft>): Iterable<Change> {
    return placeEach(changes, { last: this.#lastChange, nowMs: this.#now(), random: this.#random });
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    source: sql('SELECT body FROM follow_sources WHERE entry = ?'),
    taken: sql('SELECT 1 FROM follow_sources WHERE source = ?'),
    putSource: sql(
      'INSERT INTO follow_sources VALUES (?, ?, ?) ON CONFLICT (source) DO UPDATE SET entry = excluded.entry, body = excluded.body',
    ),
    putChange: sql('INSERT INTO changes (seq, id, body) VALUES (?, ?, ?)'),
    changesAfter: sql('SELECT seq, id, body FROM changes WHERE seq > ? ORDER BY seq LIMIT ?'),
    lastChange: sql('SELECT seq, id, body FROM changes ORDER BY seq DESC LIMIT 1'),
  };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
