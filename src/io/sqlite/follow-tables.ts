import type { FeedChange, KnownItem } from '../../dialects/feed-change.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { PendingEvent, StoredChecksums, TakenCommit } from '../../follow/follow-state.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/** `follow` in the state of a follower, `hub_follow` in the database of a hub. */
type FollowPrefix = 'follow' | 'hub_follow';

export function followTablesSchema(prefix: FollowPrefix): string {
  return `
    CREATE TABLE ${prefix}_seen (source TEXT, id TEXT, PRIMARY KEY (source, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE ${prefix}_checksums (
      source TEXT, page TEXT, boundary TEXT, checksum TEXT NOT NULL, PRIMARY KEY (source, page, boundary)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${prefix}_pending (
      place INTEGER PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL, event TEXT NOT NULL,
      tries INTEGER NOT NULL, reason TEXT NOT NULL, UNIQUE (source, id)
    ) STRICT;
    ${itemTablesSchema(prefix)}
  `;
}

/** The second table finds the items of a page that are there. */
function itemTablesSchema(prefix: FollowPrefix): string {
  return `
    CREATE TABLE ${prefix}_items (
      source TEXT, key TEXT, page TEXT NOT NULL, version TEXT NOT NULL, removed INTEGER NOT NULL, revision INTEGER,
      PRIMARY KEY (source, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${prefix}_live_items (source TEXT, page TEXT, key TEXT, PRIMARY KEY (source, page, key)) STRICT, WITHOUT ROWID;
  `;
}

/** A file of an earlier release has no tables for items. A reader makes them empty and for itself alone. */
export function ensureItemTables(
  database: SqliteDatabase,
  prefix: FollowPrefix,
  options: { readonly readonly: boolean },
): void {
  const sought = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  if (sought.get(`${prefix}_items`) !== undefined) return;
  const schema = itemTablesSchema(prefix);
  database.exec(options.readonly ? schema.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE') : schema);
}

/** What a reader of feeds remembers of their events. Throws what SQLite throws. */
export class FollowTables {
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: SqliteDatabase, prefix: FollowPrefix, file: string) {
    this.#file = file;
    this.#sql = prepare(database, prefix);
  }

  seenAmong(source: string, ids: readonly string[]): Set<string> {
    return new Set(ids.filter((id) => this.#sql.seen.get(source, id) !== undefined));
  }

  checksumsOf(source: string, pages: readonly string[]): StoredChecksums {
    const rowsOf = (page: string) => this.#sql.checksums.all(source, page) as ChecksumRow[];
    const ofPage = (page: string) => new Map(rowsOf(page).map(({ boundary, checksum }) => [boundary, checksum]));
    return new Map(pages.map((page) => [page, ofPage(page)]));
  }

  itemsAmong(source: string, keys: readonly string[]): Map<string, KnownItem> {
    const rows = keys.flatMap((key) => (this.#sql.item.get(source, key) as ItemRow | undefined) ?? []);
    return new Map(rows.map((row) => [row.key, itemOf(row)]));
  }

  liveItemsOn(source: string, page: string, most: number): string[] {
    return (this.#sql.liveItems.all(source, page, most) as Pick<ItemRow, 'key'>[]).map(({ key }) => key);
  }

  pendingOf(source: string): PendingEvent[] {
    const rows = this.#sql.pending.all(source) as PendingRow[];
    return rows.map(({ event, tries, reason }) => ({
      event: decodeStored(event, this.#file) as FeedChange,
      tries,
      reason,
    }));
  }

  /** Within the caller's transaction. */
  write(
    source: string,
    { seenIds, checksums, items, pending, settledIds }: Omit<TakenCommit, 'state' | 'changes'>,
  ): void {
    for (const id of seenIds) this.#sql.putSeen.run(source, id);
    for (const { page, boundary, checksum } of checksums) {
      if (boundary === page) this.#sql.forgetPage.run(source, page);
      else this.#sql.forgetSection.run(source, page, page, boundary);
      if (checksum !== undefined) this.#sql.putChecksum.run(source, page, boundary, checksum);
    }
    for (const item of items) this.#writeItem(source, item);
    for (const { event, tries, reason } of pending) {
      this.#sql.putPending.run(source, event.id, JSON.stringify(event), tries, reason);
    }
    for (const id of settledIds) this.#sql.settle.run(source, id);
  }

  #writeItem(source: string, { key, page, version, isRemoved, revision }: KnownItem): void {
    const before = this.#sql.item.get(source, key) as ItemRow | undefined;
    if (before !== undefined) this.#sql.dropLive.run(source, before.page, key);
    if (!isRemoved) this.#sql.putLive.run(source, page, key);
    this.#sql.putItem.run(source, key, page, version, isRemoved ? 1 : 0, revision ?? null);
  }

  /** Within the caller's transaction. */
  forget(source: string): void {
    for (const statement of this.#sql.forget) statement.run(source);
  }
}

export function decodeStored(body: string, file: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const remedy = 'Restore it from a backup, or move it away to begin anew.';
    throw new StateCorruptError(file, 'a stored record is not JSON.', remedy, { cause: error });
  }
}

interface ChecksumRow {
  readonly boundary: string;
  readonly checksum: string;
}

interface ItemRow {
  readonly key: string;
  readonly page: string;
  readonly version: string;
  readonly removed: number;
  readonly revision: number | null;
}

function itemOf({ removed, revision, ...item }: ItemRow): KnownItem {
  return { ...item, isRemoved: removed === 1, ...(revision !== null && { revision }) };
}

interface PendingRow {
  readonly event: string;
  readonly tries: number;
  readonly reason: string;
}

function prepare(database: SqliteDatabase, prefix: FollowPrefix) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    seen: sql(`SELECT 1 FROM ${prefix}_seen WHERE source = ? AND id = ?`),
    putSeen: sql(`INSERT OR IGNORE INTO ${prefix}_seen VALUES (?, ?)`),
    checksums: sql(`SELECT boundary, checksum FROM ${prefix}_checksums WHERE source = ? AND page = ?`),
    forgetPage: sql(`DELETE FROM ${prefix}_checksums WHERE source = ? AND page = ?`),
    forgetSection: sql(`DELETE FROM ${prefix}_checksums WHERE source = ? AND page = ? AND boundary IN (?, ?)`),
    putChecksum: sql(`INSERT OR REPLACE INTO ${prefix}_checksums VALUES (?, ?, ?, ?)`),
    item: sql(`SELECT key, page, version, removed, revision FROM ${prefix}_items WHERE source = ? AND key = ?`),
    putItem: sql(`INSERT OR REPLACE INTO ${prefix}_items VALUES (?, ?, ?, ?, ?, ?)`),
    liveItems: sql(`SELECT key FROM ${prefix}_live_items WHERE source = ? AND page = ? LIMIT ?`),
    putLive: sql(`INSERT OR IGNORE INTO ${prefix}_live_items VALUES (?, ?, ?)`),
    dropLive: sql(`DELETE FROM ${prefix}_live_items WHERE source = ? AND page = ? AND key = ?`),
    pending: sql(`SELECT event, tries, reason FROM ${prefix}_pending WHERE source = ? ORDER BY place`),
    putPending: sql(
      `INSERT INTO ${prefix}_pending (source, id, event, tries, reason) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (source, id) DO UPDATE SET tries = excluded.tries, reason = excluded.reason`,
    ),
    settle: sql(`DELETE FROM ${prefix}_pending WHERE source = ? AND id = ?`),
    forget: ['seen', 'checksums', 'items', 'live_items', 'pending'].map((table) =>
      sql(`DELETE FROM ${prefix}_${table} WHERE source = ?`),
    ),
  };
}
