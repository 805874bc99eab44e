import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DOCUMENT_CACHE_LIMITS,
  type DocumentCache,
  type DocumentCacheLimits,
  type DocumentKey,
  type Redirect,
  type Snapshot,
} from '../../crawl/document-cache.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { explainSqliteError, inTransaction, openRawDatabase, type SqliteDatabase } from './database.ts';
import {
  DOCUMENT_SCHEMA,
  type DocumentRow,
  type DocumentStatements,
  detailsOf,
  prepareDocuments,
  type RedirectRow,
  snapshotOf,
} from './document-schema.ts';

export interface SqliteDocumentCacheOptions {
  /** Made if there is none. */
  readonly folder: string;
  readonly limits?: DocumentCacheLimits;
  readonly now?: () => number;
  /** Called once, with what a person should know: that documents are not kept, or that old ones were lost. */
  readonly onProblem?: (message: string) => void;
}

/** The format is part of the name: a Tidings with another format uses another file. */
const FILE = 'documents-1.db';
const DAMAGED = '.damaged';
const BUSY_TIMEOUT_MS = 2000;
/** A use is written down this often only, so that a hit costs no write. */
const USE_STEP_MS = 60_000;

/**
 * Documents in a file that outlives the process and that several of them may use at once.
 *
 * A damaged file is moved aside. Undefined when the folder cannot be used at all.
 */
export async function openSqliteDocumentCache(options: SqliteDocumentCacheOptions): Promise<DocumentCache | undefined> {
  const { folder, onProblem = () => {} } = options;
  const file = join(folder, FILE);
  try {
    makeFolder(folder);
    return new SqliteDocumentCache(await openFile(file), file, options);
  } catch (error) {
    if (!(explainSqliteError(file, error) instanceof StateCorruptError)) {
      onProblem(`documents are not kept: ${file} cannot be used (${reasonOf(error)}).`);
      return undefined;
    }
  }
  try {
    await moveAside(file);
    onProblem(`the cache ${file} was damaged and is now ${FILE}${DAMAGED}; a new one was begun.`);
    return new SqliteDocumentCache(await openFile(file), file, { ...options, onProblem: () => {} });
  } catch (error) {
    onProblem(`documents are not kept: ${file} is damaged and cannot be moved (${reasonOf(error)}).`);
    return undefined;
  }
}

async function openFile(file: string): Promise<SqliteDatabase> {
  const database = await openRawDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.exec('PRAGMA journal_mode = WAL');
    // What a power cut takes is fetched again.
    database.exec('PRAGMA synchronous = NORMAL');
    database.exec(DOCUMENT_SCHEMA);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function moveAside(file: string): Promise<void> {
  await rename(file, `${file}${DAMAGED}`);
  for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
}

class SqliteDocumentCache implements DocumentCache {
  readonly #database: SqliteDatabase;
  readonly #file: string;
  readonly #limits: DocumentCacheLimits;
  readonly #now: () => number;
  readonly #sql: DocumentStatements;
  #onProblem: (message: string) => void;

  constructor(database: SqliteDatabase, file: string, options: SqliteDocumentCacheOptions) {
    this.#database = database;
    this.#file = file;
    this.#limits = options.limits ?? DOCUMENT_CACHE_LIMITS;
    this.#now = options.now ?? Date.now;
    this.#onProblem = options.onProblem ?? (() => {});
    this.#sql = prepareDocuments(database);
  }

  async find(key: DocumentKey): Promise<Snapshot | undefined> {
    return this.#attempt(() => {
      const redirect = this.#sql.redirect.get(key.url, key.variant) as RedirectRow | undefined;
      const row = this.#sql.document.get(redirect?.target ?? key.url, key.variant) as DocumentRow | undefined;
      if (row === undefined) return undefined;
      const nowMs = this.#now();
      if (Math.abs(nowMs - row.used_ms) >= USE_STEP_MS) this.#sql.use.run(nowMs, row.id);
      return snapshotOf(row, key, redirect);
    });
  }

  async keep(snapshot: Snapshot, from?: Redirect): Promise<void> {
    const { document, variant, fetchedAtMs, freshUntilMs } = snapshot;
    const { url } = document.source;
    const bytes = Buffer.from(JSON.stringify(document));
    this.#change(() => {
      this.#forget({ url, variant });
      if (from !== undefined) this.#forget({ url: from.url, variant });
      if (bytes.length > this.#limits.maxDocumentBytes) return;
      const times = [fetchedAtMs, Math.trunc(freshUntilMs)];
      this.#sql.put.run(url, variant, ...times, detailsOf(snapshot), this.#now(), bytes.length, bytes);
      this.#lead(from, snapshot);
      this.#sql.makeRoom.run(this.#limits.maxBytes);
    });
  }

  async renew(snapshot: Snapshot, from?: Redirect): Promise<void> {
    const { document, variant, fetchedAtMs, freshUntilMs } = snapshot;
    this.#change(() => {
      const { changes } = this.#sql.renew.run(
        Math.trunc(freshUntilMs),
        detailsOf(snapshot),
        document.source.url,
        variant,
        fetchedAtMs,
      );
      if (Number(changes) > 0) this.#lead(from, snapshot);
    });
  }

  async forget(key: DocumentKey): Promise<void> {
    this.#change(() => this.#forget(key));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#attempt(() => this.#database.close());
  }

  #forget({ url, variant }: DocumentKey): void {
    this.#sql.forget.run(url, variant);
    this.#sql.forgetRedirect.run(url, variant);
  }

  #lead(from: Redirect | undefined, { document, variant }: Snapshot): void {
    if (from === undefined || from.url === document.source.url) return;
    this.#sql.forgetRedirect.run(from.url, variant);
    this.#sql.lead.run(from.url, variant, document.source.url, Math.trunc(from.freshUntilMs));
    this.#sql.makeRoomForRedirects.run(this.#limits.maxRedirects);
  }

  #change(work: () => void): void {
    this.#attempt(() => inTransaction(this.#database, work));
  }

  /** A failing disk costs the copy, not the read. It is said once. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      // A bug is no trouble of the disk.
      if (explainSqliteError(this.#file, error) === error) throw error;
      this.#onProblem(`documents are not kept: ${this.#file} cannot be used (${reasonOf(error)}).`);
      this.#onProblem = () => {};
      return undefined;
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
