import { LogLockedError } from '../../errors/log-error.ts';
import type { PageMark, StateEdits, SyncPlace, SyncState } from '../../sync/sync-state.ts';
import {
  explainSqliteError,
  inTransaction,
  openDatabase,
  type SqliteDatabase,
  type SqliteStatement,
} from './database.ts';
import { lockFile, type WriterLock } from './writer-lock.ts';

/** The format is part of the name: a Tidings with another format starts over, which costs only a comparison. */
export const SYNC_STATE_FILE = 'sync-1.db';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS place (only INTEGER PRIMARY KEY CHECK (only = 1), body TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS marks (url TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** A sync's state in a file. One sync at a time has it: a second one fails with a {@link LogLockedError}. */
export async function openSqliteSyncState(file: string): Promise<SyncState> {
  const lock = await lockFile(`${file}.lock`);
  if (lock === undefined) throw new LogLockedError(file, 'sync');
  let database: SqliteDatabase | undefined;
  try {
    database = await openDatabase(file);
    database.exec(SCHEMA);
    return new SqliteSyncState(database, lock, file);
  } catch (error) {
    database?.close();
    await lock.release();
    throw explainSqliteError(file, error);
  }
}

class SqliteSyncState implements SyncState {
  readonly #database: SqliteDatabase;
  readonly #lock: WriterLock;
  readonly #file: string;
  readonly #statements: Readonly<Record<'place' | 'put' | 'drop', SqliteStatement>>;

  constructor(database: SqliteDatabase, lock: WriterLock, file: string) {
    this.#database = database;
    this.#lock = lock;
    this.#file = file;
    this.#statements = {
      place: database.prepare('INSERT INTO place VALUES (1, ?) ON CONFLICT DO UPDATE SET body = excluded.body'),
      put: database.prepare('INSERT INTO marks VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body'),
      drop: database.prepare('DELETE FROM marks WHERE url = ?'),
    };
  }

  async load() {
    return this.#explained(() => {
      const place = this.#database.prepare('SELECT body FROM place').get();
      const marks = this.#database.prepare('SELECT body FROM marks').all();
      return {
        place: place === undefined ? {} : (bodyOf(place) as SyncPlace),
        marks: marks.map((row) => bodyOf(row) as PageMark),
      };
    });
  }

  async write({ place, put = [], drop = [] }: StateEdits): Promise<void> {
    this.#explained(() =>
      inTransaction(this.#database, () => {
        if (place !== undefined) this.#statements.place.run(JSON.stringify(place));
        for (const mark of put) this.#statements.put.run(mark.url, JSON.stringify(mark));
        for (const url of drop) this.#statements.drop.run(url);
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
    await this.#lock.release();
  }

  #explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }
}

function bodyOf(row: unknown): unknown {
  return JSON.parse((row as { readonly body: string }).body);
}
