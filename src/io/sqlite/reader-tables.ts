import type {
  AppliedFact,
  FeedMemory,
  FirstIds,
  ReaderCommit,
  SeenEntry,
} from '../../dialects/agent-feed/read/reader-state.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import { type LargePart, type PartsEdition, type ReaderPrefix, ReaderRowParts } from './reader-parts.ts';

/**
 * Feeds have a number, so that ten thousand entries do not repeat a URL. The first entry of a signed payload stays the first. Large parts of a feed are
 * separate from what each poll changes.
 */
export function readerTablesSchema(prefix: ReaderPrefix): string {
  return `
    CREATE TABLE IF NOT EXISTS ${prefix}_feeds (
      feed INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, trusted INTEGER NOT NULL, body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS ${prefix}_parts (
      feed INTEGER, name TEXT, version TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (feed, name)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS ${prefix}_seen (
      feed INTEGER, entry TEXT, payload TEXT NOT NULL, signature TEXT NOT NULL, key TEXT NOT NULL, void INTEGER NOT NULL,
      PRIMARY KEY (feed, entry)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS ${prefix}_payloads (
      feed INTEGER, payload TEXT, signature TEXT, entry TEXT NOT NULL, PRIMARY KEY (feed, payload, signature)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS ${prefix}_facts (
      feed INTEGER, seq INTEGER, body TEXT NOT NULL, PRIMARY KEY (feed, seq)
    ) STRICT, WITHOUT ROWID;
  `;
}

/** What readers of agent-feeds remember. Throws what SQLite throws. */
export class ReaderTables {
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #parts: ReaderRowParts;

  /** The tables of `prefix` are there. */
  constructor(database: SqliteDatabase, prefix: ReaderPrefix, file: string) {
    this.#file = file;
    this.#sql = prepare(database, prefix);
    this.#parts = new ReaderRowParts(database, prefix, file);
  }

  find(feedUrl: string): FeedMemory | undefined {
    const row = this.#sql.find.get(feedUrl) as FeedRow | undefined;
    if (row === undefined) return undefined;
    const { feed, trusted, body } = row;
    const small = decodeStored(body, this.#file) as Omit<FeedMemory, LargePart | 'isTrusted'>;
    return { ...small, isTrusted: trusted === 1, ...this.#parts.find(feed) };
  }

  seenAmong(feedUrl: string, ids: readonly string[]): Map<string, SeenEntry> {
    const rows = this.#sql.seen.all(JSON.stringify(ids), feedUrl) as SeenRow[];
    return new Map(
      rows.map(({ entryId, payloadHash, signature, publicKey, void: isVoid }) => [
        entryId,
        { entryId, payloadHash, signature, publicKey, ...(isVoid === 1 && { isVoid: true }) },
      ]),
    );
  }

  payloadsAmong(feedUrl: string, hashes: readonly string[]): Map<string, FirstIds> {
    const found = new Map<string, Map<string, string>>();
    for (const { payload, signature, entryId } of this.#sql.payloads.all(
      JSON.stringify(hashes),
      feedUrl,
    ) as PayloadRow[]) {
      found.set(payload, (found.get(payload) ?? new Map<string, string>()).set(signature, entryId));
    }
    return found;
  }

  factsOf(feedUrl: string, afterSeq: number, limit: number): AppliedFact[] {
    const rows = this.#sql.facts.all(feedUrl, afterSeq, limit) as { readonly seq: number; readonly body: string }[];
    return rows.map(({ seq, body }) => ({ seq, ...(decodeStored(body, this.#file) as Omit<AppliedFact, 'seq'>) }));
  }

  /** Within the caller's transaction. */
  write({ memory, seen, facts, retrust = false }: ReaderCommit, edition?: PartsEdition): void {
    const { isTrusted, endpoints, baselines, did, told, ...small } = memory;
    this.#sql.put.run(memory.feedUrl, isTrusted ? 1 : 0, JSON.stringify(small), retrust ? 1 : 0);
    const { feed, last } = this.#sql.place.get(memory.feedUrl) as { readonly feed: number; readonly last: number };
    const parts = { endpoints, baselines, did, told };
    if (edition === undefined) this.#parts.write(feed, parts);
    else this.#parts.writeOthers(feed, parts, edition);
    this.#writeFacts(feed, last, memory.feedUrl, facts);
    for (const { entryId, payloadHash, signature, publicKey, isVoid = false } of seen) {
      this.#sql.putSeen.run(feed, entryId, payloadHash, signature, publicKey, isVoid ? 1 : 0);
      if (!isVoid) this.#sql.putPayload.run(feed, payloadHash, signature, entryId);
    }
  }

  /** The larger parts of a memory that are as they were found or written last. */
  unchangedParts(memory: FeedMemory): readonly LargePart[] {
    const row = this.#sql.find.get(memory.feedUrl) as FeedRow | undefined;
    return row === undefined ? [] : this.#parts.unchanged(row.feed, memory);
  }

  /** Others have written these parts. */
  knowParts(memory: FeedMemory, edition: PartsEdition): void {
    this.#parts.know(memory, edition);
  }

  /** Before the entries of the same commit are written: those that are seen now were seen earlier. */
  #writeFacts(feed: number, last: number, feedUrl: string, facts: ReaderCommit['facts']): void {
    if (facts.length === 0) return;
    const ids = facts.map(({ entryId }) => entryId);
    const earlier = this.seenAmong(feedUrl, ids);
    const news = facts.filter(({ entryId }) => !earlier.has(entryId));
    for (const [index, fact] of news.entries()) this.#sql.putFact.run(feed, last + 1 + index, JSON.stringify(fact));
  }
}

interface FeedRow {
  readonly feed: number;
  readonly trusted: number;
  readonly body: string;
}

interface SeenRow extends Omit<SeenEntry, 'isVoid'> {
  readonly void: number;
}

interface PayloadRow {
  readonly payload: string;
  readonly signature: string;
  readonly entryId: string;
}

/** Keys come as one JSON array: a list of ten thousand is one statement, whatever the limit of parameters is. */
function prepare(database: SqliteDatabase, prefix: ReaderPrefix) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  const feedOf = `(SELECT feed FROM ${prefix}_feeds WHERE url = ?)`;
  return {
    find: sql(`SELECT feed, trusted, body FROM ${prefix}_feeds WHERE url = ?`),
    // Trust that is lost comes back by an operator's word alone.
    put: sql(
      `INSERT INTO ${prefix}_feeds AS held (url, trusted, body) VALUES (?1, ?2, ?3)
       ON CONFLICT (url) DO UPDATE SET trusted = excluded.trusted AND (held.trusted OR ?4), body = excluded.body`,
    ),
    place: sql(
      `SELECT feed, (SELECT coalesce(max(seq), 0) FROM ${prefix}_facts AS f WHERE f.feed = one.feed) AS last
       FROM ${prefix}_feeds AS one WHERE url = ?`,
    ),
    seen: sql(
      `SELECT entry AS entryId, payload AS payloadHash, signature, s.key AS publicKey, s.void
       FROM json_each(?) AS asked CROSS JOIN ${prefix}_seen AS s ON s.feed = ${feedOf} AND s.entry = asked.value`,
    ),
    payloads: sql(
      `SELECT payload, signature, entry AS entryId
       FROM json_each(?) AS asked CROSS JOIN ${prefix}_payloads AS p ON p.feed = ${feedOf} AND p.payload = asked.value`,
    ),
    facts: sql(`SELECT seq, body FROM ${prefix}_facts WHERE feed = ${feedOf} AND seq > ? ORDER BY seq LIMIT ?`),
    putSeen: sql(`INSERT OR IGNORE INTO ${prefix}_seen VALUES (?, ?, ?, ?, ?, ?)`),
    putPayload: sql(`INSERT OR IGNORE INTO ${prefix}_payloads VALUES (?, ?, ?, ?)`),
    putFact: sql(`INSERT INTO ${prefix}_facts VALUES (?, ?, ?)`),
  };
}
