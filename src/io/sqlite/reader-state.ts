import { access } from 'node:fs/promises';
import type {
  AppliedFact,
  FeedMemory,
  FirstIds,
  ReaderCommit,
  ReaderState,
  SeenEntry,
} from '../../dialects/agent-feed/read/reader-state.ts';
import { ReaderLockedError } from '../../errors/reader-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { explainSqliteError, inTransaction, moveIntoMainFile, openDatabase, type SqliteDatabase } from './database.ts';
import type { ReaderPrefix } from './reader-parts.ts';
import { ensureReaderSchema, inspectReaderFile } from './reader-schema.ts';
import { ReaderTables, readerTablesSchema } from './reader-tables.ts';
import { lockFile, type WriterLock } from './writer-lock.ts';

interface ReaderFile {
  readonly file: string;
  /** How long to wait while another reader has it. */
  readonly waitMs?: number;
}

/** A reader's state in a separate file, which is made if there is none. One process may have it at a time. */
export async function openSqliteReaderState({ file, waitMs = 0 }: ReaderFile): Promise<ReaderState> {
  const lock = await lockWithin(`${file}.lock`, waitMs);
  if (lock === undefined) throw new ReaderLockedError(file);
  let database: SqliteDatabase | undefined;
  try {
    if (await exists(file)) await inspectReaderFile(file);
    const opened = await openDatabase(file);
    database = opened;
    ensureReaderSchema(opened);
    return new SqliteReaderState(opened, { file, prefix: 'reader' }, async () => {
      try {
        moveIntoMainFile(opened);
        opened.close();
      } finally {
        await lock.release();
      }
    });
  } catch (error) {
    database?.close();
    await lock.release();
    throw explainReaderError(file, error);
  }
}

/** A reader's state as it is, also while another reader has it. Nothing can be committed to it. */
export async function readSqliteReaderState({ file }: Pick<ReaderFile, 'file'>): Promise<ReaderState> {
  if (!(await exists(file))) throw new ReaderLockedError(file);
  await inspectReaderFile(file);
  const database = await openDatabase(file, { readonly: true });
  try {
    return new SqliteReaderState(database, { file, prefix: 'reader', isReadOnly: true }, async () => database.close());
  } catch (error) {
    database.close();
    throw explainSqliteError(file, error);
  }
}

/** A reader's state among the tables of another database, which stays its owner's to close. `file` is for messages. */
export function createSqliteReaderState(
  database: SqliteDatabase,
  file: string,
  prefix: ReaderPrefix = 'hub_reader',
): SqliteReaderState {
  try {
    inTransaction(database, () => database.exec(readerTablesSchema(prefix)));
    return new SqliteReaderState(database, { file, prefix }, async () => {});
  } catch (error) {
    throw explainSqliteError(file, error);
  }
}

interface Place {
  readonly file: string;
  readonly prefix: ReaderPrefix;
  readonly isReadOnly?: boolean;
}

export class SqliteReaderState implements ReaderState {
  readonly #database: SqliteDatabase;
  readonly #file: string;
  /** For code that writes in its own transaction. */
  readonly tables: ReaderTables;
  readonly #isReadOnly: boolean;
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(database: SqliteDatabase, { file, prefix, isReadOnly = false }: Place, close: () => Promise<void>) {
    this.#database = database;
    this.#file = file;
    this.#isReadOnly = isReadOnly;
    this.tables = new ReaderTables(database, prefix, file);
    this.#close = close;
  }

  async find(feedUrl: string): Promise<FeedMemory | undefined> {
    return this.#ask(() => this.tables.find(feedUrl));
  }

  async seenAmong(feedUrl: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeenEntry>> {
    return this.#ask(() => this.tables.seenAmong(feedUrl, ids));
  }

  async payloadsAmong(feedUrl: string, hashes: readonly string[]): Promise<ReadonlyMap<string, FirstIds>> {
    return this.#ask(() => this.tables.payloadsAmong(feedUrl, hashes));
  }

  async factsOf(feedUrl: string, afterSeq: number, limit: number): Promise<readonly AppliedFact[]> {
    return this.#ask(() => this.tables.factsOf(feedUrl, afterSeq, limit));
  }

  async commit(commit: ReaderCommit): Promise<void> {
    if (this.#isReadOnly) throw new ReaderLockedError(this.#file);
    this.#ask(() => inTransaction(this.#database, () => this.tables.write(commit)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  #ask<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }
}

/** What is lost with a damaged state is more than what can be read again. */
function explainReaderError(file: string, error: unknown): unknown {
  const explained = explainSqliteError(file, error);
  if (explained === error || !(explained instanceof StateCorruptError)) return explained;
  const remedy = 'Restore it from a backup. Moved away, it takes with it who is not trusted.';
  return new StateCorruptError(file, 'the database is damaged.', remedy, { cause: error });
}

async function lockWithin(file: string, waitMs: number): Promise<WriterLock | undefined> {
  const untilMs = Date.now() + waitMs;
  for (;;) {
    const lock = await lockFile(file);
    if (lock !== undefined || Date.now() >= untilMs) return lock;
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
