import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';

/** Small facts of the hub by name. Values are JSON: SQLite text may end at a NUL character. */
export class HubFacts {
  readonly #file: string;
  readonly #find: SqliteStatement;
  readonly #put: SqliteStatement;

  constructor(database: SqliteDatabase, file: string) {
    this.#file = file;
    this.#find = database.prepare('SELECT value FROM hub_facts WHERE name = ?');
    this.#put = database.prepare('INSERT OR REPLACE INTO hub_facts (name, value) VALUES (?, ?)');
  }

  find(name: string): string | undefined {
    const row = this.#find.get(name) as { readonly value: string } | undefined;
    return row === undefined ? undefined : (decodeStored(row.value, this.#file) as string);
  }

  /** Within the caller's transaction. */
  put(name: string, value: string): void {
    this.#put.run(name, JSON.stringify(value));
  }
}
