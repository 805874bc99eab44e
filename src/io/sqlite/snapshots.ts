import { hash } from 'node:crypto';
import type { Snapshots } from '../../log/log.ts';
import { explainSqliteError, type SqliteDatabase, type SqliteStatement } from './database.ts';

/** As bytes, not as SQLite text: that may end at a NUL character. */
export const SNAPSHOTS_SCHEMA = 'CREATE TABLE snapshots (checksum TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT';

/** Snapshots beside the log, in the same database. */
export class SqliteSnapshots implements Snapshots {
  readonly #file: string;
  readonly #insert: SqliteStatement;
  readonly #select: SqliteStatement;

  constructor(database: SqliteDatabase, file: string) {
    this.#file = file;
    this.#insert = database.prepare('INSERT OR IGNORE INTO snapshots (checksum, content) VALUES (?, ?)');
    this.#select = database.prepare('SELECT content FROM snapshots WHERE checksum = ?');
  }

  async put(text: string): Promise<string> {
    const content = Buffer.from(text, 'utf8');
    const checksum = `sha256:${hash('sha256', content, 'hex')}`;
    try {
      this.#insert.run(checksum, content);
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
    return checksum;
  }

  async get(checksum: string): Promise<string | undefined> {
    try {
      const row = this.#select.get(checksum) as { readonly content: Uint8Array } | undefined;
      return row === undefined ? undefined : Buffer.from(row.content).toString('utf8');
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }
}
