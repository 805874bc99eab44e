import { randomUUID } from 'node:crypto';
import type { FeedMemory } from '../../dialects/agent-feed/read/reader-state.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';

/** `reader` in the state of a reader, `hub_reader` in the database of a hub. */
export type ReaderPrefix = 'reader' | 'hub_reader';

export type LargePart = 'endpoints' | 'baselines' | 'did' | 'told';
type Parts = Pick<FeedMemory, LargePart>;
const LARGE_PARTS = ['endpoints', 'baselines', 'did', 'told'] as const satisfies readonly LargePart[];

export interface PartsEdition {
  readonly unchanged: readonly LargePart[];
  /** Never given twice, also not by a commit that failed. */
  readonly version: string;
}

interface PartRow {
  readonly name: LargePart;
  readonly version: string;
  readonly body: string;
}

/**
 * The parts of a feed's memory that may be large, each in a separate row. A part that is the same object as when it was found or written last is not written
 * again, so that a poll without changes costs nothing, however much is known.
 */
export class ReaderRowParts {
  readonly #file: string;
  readonly #find: SqliteStatement;
  readonly #versions: SqliteStatement;
  readonly #put: SqliteStatement;
  readonly #drop: SqliteStatement;
  /** The version that each object is of. */
  readonly #versionOf = new WeakMap<object, string>();

  /** The tables of `prefix` are there. */
  constructor(database: SqliteDatabase, prefix: ReaderPrefix, file: string) {
    const table = `${prefix}_parts`;
    this.#file = file;
    this.#find = database.prepare(`SELECT name, version, body FROM ${table} WHERE feed = ?`);
    this.#versions = database.prepare(`SELECT name, version FROM ${table} WHERE feed = ?`);
    this.#put = database.prepare(
      `INSERT INTO ${table} (feed, name, version, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (feed, name) DO UPDATE SET version = excluded.version, body = excluded.body`,
    );
    this.#drop = database.prepare(`DELETE FROM ${table} WHERE feed = ? AND name = ?`);
  }

  find(feed: number): Parts {
    const rows = this.#find.all(feed) as PartRow[];
    const parts = rows.map(({ name, version, body }) => {
      const part = decodeStored(body, this.#file) as object;
      this.#versionOf.set(part, version);
      return [name, part];
    });
    return { endpoints: [], ...Object.fromEntries(parts) };
  }

  /** Within the caller's transaction. */
  write(feed: number, parts: Parts): void {
    const unchanged = this.unchanged(feed, parts);
    this.writeOthers(feed, parts, { unchanged, version: randomUUID() });
  }

  /** The parts of a feed that are as they were found or written last. */
  unchanged(feed: number, parts: Parts): readonly LargePart[] {
    const rows = this.#versions.all(feed) as Pick<PartRow, 'name' | 'version'>[];
    const isHeld = ({ name, version }: Pick<PartRow, 'name' | 'version'>) => {
      const part = parts[name];
      return part !== undefined && this.#versionOf.get(part) === version;
    };
    return rows.filter(isHeld).map(({ name }) => name);
  }

  /** Within the caller's transaction: what is unchanged stays as it is, all else gets this version. */
  writeOthers(feed: number, parts: Parts, { unchanged, version }: PartsEdition): void {
    for (const name of LARGE_PARTS) {
      if (unchanged.includes(name)) continue;
      const part = parts[name];
      if (part === undefined) this.#drop.run(feed, name);
      else this.#put.run(feed, name, version, JSON.stringify(part));
    }
    this.know(parts, { unchanged, version });
  }

  /** All other parts have this version. */
  know(parts: Parts, { unchanged, version }: PartsEdition): void {
    for (const name of LARGE_PARTS) {
      const part = parts[name];
      if (part !== undefined && !unchanged.includes(name)) this.#versionOf.set(part, version);
    }
  }
}
