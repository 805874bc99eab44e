import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import type { AicfEvent } from '../codecs/aicf/wire.ts';
import { FollowLockedError } from '../errors/follow-error.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import type { FollowState, PendingEvent, SourceState, StateCommit, StoredChecksums } from '../follow/follow-state.ts';
import { placeChanges } from '../log/place-changes.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import {
  explainSqliteError,
  inTransaction,
  openDatabase,
  type SqliteDatabase,
  type SqliteStatement,
} from './sqlite-database.ts';
import { ensureFollowSchema, inspectStateFile } from './sqlite-follow-schema.ts';
import { decodeRow } from './sqlite-log-schema.ts';
import { lockFile, type WriterLock } from './sqlite-writer-lock.ts';

export interface SqliteFollowStateOptions {
  /** Made when there is none. */
  readonly file: string;
  readonly now?: () => number;
  readonly random?: (size: number) => Uint8Array;
}

export async function openSqliteFollowState(options: SqliteFollowStateOptions): Promise<SqliteFollowState> {
  const { file } = options;
  const lock = await lockFile(`${file}.lock`);
  if (lock === undefined) throw new FollowLockedError(file);
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
  #lastChange: Change | undefined;

  /** Use {@link openSqliteFollowState}. */
  constructor(database: SqliteDatabase, lock: WriterLock, options: SqliteFollowStateOptions) {
    this.#database = database;
    this.#lock = lock;
    this.#file = options.file;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? randomBytes;
    this.#sql = prepare(database);
    const last: unknown = this.#sql.lastChange.get();
    this.#lastChange = last === undefined ? undefined : decodeRow(last, options.file);
  }

  async find(entry: string): Promise<SourceState | undefined> {
    const row = this.#read(() => this.#sql.source.get(entry)) as { readonly body: string } | undefined;
    return row === undefined ? undefined : (this.#decode(row.body) as SourceState);
  }

  async isTaken(source: string): Promise<boolean> {
    return this.#read(() => this.#sql.taken.get(source)) !== undefined;
  }

  async seenAmong(source: string, ids: readonly string[]): Promise<Set<string>> {
    return this.#read(() => new Set(ids.filter((id) => this.#sql.seen.get(source, id) !== undefined)));
  }

  async checksumsOf(source: string, pages: readonly string[]): Promise<StoredChecksums> {
    return this.#read(() => {
      const rowsOf = (page: string) => this.#sql.checksums.all(source, page) as ChecksumRow[];
      const ofPage = (page: string) => new Map(rowsOf(page).map(({ boundary, checksum }) => [boundary, checksum]));
      return new Map(pages.map((page) => [page, ofPage(page)]));
    });
  }

  async pendingOf(source: string): Promise<PendingEvent[]> {
    const rows = this.#read(() => this.#sql.pending.all(source)) as PendingRow[];
    return rows.map(({ event, tries, reason }) => ({ event: this.#decode(event) as AicfEvent, tries, reason }));
  }

  async commit({ state, seenIds, checksums, pending, settledIds, changes }: StateCommit): Promise<void> {
    const { source } = state;
    const placed = this.#place(changes);
    this.#read(() =>
      inTransaction(this.#database, () => {
        this.#sql.putSource.run(source, state.entry, JSON.stringify(state));
        for (const id of seenIds) this.#sql.putSeen.run(source, id);
        for (const { page, boundary, checksum } of checksums) {
          if (boundary === page) this.#sql.forgetPage.run(source, page);
          else this.#sql.forgetSection.run(source, page, page, boundary);
          if (checksum !== undefined) this.#sql.putChecksum.run(source, page, boundary, checksum);
        }
        for (const { event, tries, reason } of pending) {
          this.#sql.putPending.run(source, event.id, JSON.stringify(event), tries, reason);
        }
        for (const id of settledIds) this.#sql.settle.run(source, id);
        for (const { seq, id, ...body } of placed) this.#sql.putChange.run(seq, id, JSON.stringify(body));
      }),
    );
    this.#lastChange = placed.at(-1) ?? this.#lastChange;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#database.close();
    } finally {
      await this.#lock.release();
    }
  }

  #place(changes: readonly ChangeDraft[]): Change[] {
    return placeChanges(changes, { last: this.#lastChange, nowMs: this.#now(), random: this.#random });
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }

  #decode(body: string): unknown {
    try {
      return JSON.parse(body);
    } catch (error) {
      const remedy = 'Restore the file from a backup, or name another --state.';
      throw new StateCorruptError(this.#file, undefined, 'a stored record is not JSON.', remedy, error);
    }
  }
}

interface ChecksumRow {
  readonly boundary: string;
  readonly checksum: string;
}

interface PendingRow {
  readonly event: string;
  readonly tries: number;
  readonly reason: string;
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
    seen: sql('SELECT 1 FROM follow_seen WHERE source = ? AND id = ?'),
    putSeen: sql('INSERT OR IGNORE INTO follow_seen VALUES (?, ?)'),
    checksums: sql('SELECT boundary, checksum FROM follow_checksums WHERE source = ? AND page = ?'),
    forgetPage: sql('DELETE FROM follow_checksums WHERE source = ? AND page = ?'),
    forgetSection: sql('DELETE FROM follow_checksums WHERE source = ? AND page = ? AND boundary IN (?, ?)'),
    putChecksum: sql('INSERT OR REPLACE INTO follow_checksums VALUES (?, ?, ?, ?)'),
    pending: sql('SELECT event, tries, reason FROM follow_pending WHERE source = ? ORDER BY place'),
    putPending: sql(
      `INSERT INTO follow_pending (source, id, event, tries, reason) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (source, id) DO UPDATE SET tries = excluded.tries, reason = excluded.reason`,
    ),
    settle: sql('DELETE FROM follow_pending WHERE source = ? AND id = ?'),
    putChange: sql('INSERT INTO changes (seq, id, body) VALUES (?, ?, ?)'),
    lastChange: sql('SELECT seq, id, body FROM changes ORDER BY seq DESC LIMIT 1'),
  };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
