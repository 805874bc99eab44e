import { randomUUID } from 'node:crypto';
import type { FeedMemory } from '../../dialects/agent-feed/read/reader-state.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';

/** `reader` in the state of a reader, `hub_reader` in the database of a hub. */
export type ReaderPrefix = 'reader' | 'hub_reader';

export type LargePart = 'endpoints' | 'baselines' | 'did' | 'told';
type Parts = Pick<FeedMemory, LargePart>;

interface PartRow {
  readonly name: LargePart;
  readonly version: string;
  readonly body: string;
}

/**
 * What of a feed's memory may be large, each in a row of its own. A part that is the very object that was found or written
 * last is not written again, so that a poll which changed nothing costs nothing, however much is known.
 */
export class ReaderRowParts {
  readonly #file: string;
  readonly #find: SqliteStatement;
  readonly #versions: SqliteStatement;
  readonly #put: SqliteStatement;
  readonly #drop: SqliteStatement;
  /** The version that each object is of. Versions are never given twice, also not those of a commit that failed. */
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
  write(feed: number, { endpoints, baselines, did, told }: Parts): void {
    const rows = this.#versions.all(feed) as Pick<PartRow, 'name' | 'version'>[];
    const held = new Map(rows.map(({ name, version }) => [name, version]));
    this.#writePart(feed, 'endpoints', endpoints, held);
    this.#writePart(feed, 'baselines', baselines, held);
    this.#writePart(feed, 'did', did, held);
    this.#writePart(feed, 'told', told, held);
  }

  #writePart(feed: number, name: LargePart, part: object | undefined, held: ReadonlyMap<LargePart, string>): void {
    const version = held.get(name);
    if (part === undefined) {
      if (version !== undefined) this.#drop.run(feed, name);
      return;
    }
    if (version !== undefined && this.#versionOf.get(part) === version) return;
    const next = randomUUID();
    this.#put.run(feed, name, next, JSON.stringify(part));
    this.#versionOf.set(part, next);
  }
}
