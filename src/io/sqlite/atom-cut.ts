import { ARCHIVE_ENTRIES, type AtomFeedRecord } from '../../dialects/atom/shelf/atom-store.ts';
import type { KeptArchives } from '../../dialects/shelf.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { SqliteDatabase } from './database.ts';
import type { LogDatabase, SqliteLog } from './log.ts';

/** After this many feeds or rows, other work gets its turn. */
const FEEDS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;
/** What an entry takes beside its body: keys, and its places in two feeds. */
const ROW_BYTES = 60;
/** In place of the name of a feed: up to which entry bodies may go. No feed has an empty name. */
const BODIES = '';

type EndableFeed = Pick<AtomFeedRecord, 'name' | 'entries'>;
/** Whether an archive of a feed need not be kept. */
type MayEnd = (feed: string, number: number) => boolean;

/**
 * Where the archives of each Atom feed begin. First it is written how many have ended, then their rows are dropped, some at a time:
 * a crash in between leaves rows that the next end drops. A body stays as long as an archive or a feed has a place for it.
 */
export class AtomCut {
  readonly #log: SqliteLog;
  readonly #sql: ReturnType<typeof prepareCut>;
  readonly #ended = new Map<string, number>();

  constructor({ log, database }: Pick<LogDatabase, 'log' | 'database'>) {
    this.#log = log;
    this.#sql = prepareCut(database);
    const rows = log.ask(() => this.#sql.starts.all()) as { readonly feed: string; readonly ended: number }[];
    for (const { feed, ended } of rows) this.#ended.set(feed, ended);
  }

  /** How many archives of a feed have ended: those with the numbers up to it. */
  ended(feed: string): number {
    return this.#ended.get(feed) ?? 0;
  }

  /** Ends what need not be kept, of these feeds and thus of all. Says how many archives have ended. */
  async end(feeds: readonly EndableFeed[], kept: KeptArchives): Promise<number> {
    const mayEnd = await this.#rule(kept);
    let count = 0;
    for (const [at, feed] of feeds.entries()) {
      count += this.#endSome(feed, mayEnd);
      if (at % FEEDS_AT_ONCE === 0) await othersFirst();
    }
    if (count > 0) await this.#dropRows(feeds);
    return count;
  }

  async #rule({ sinceMs, bytes }: KeptArchives): Promise<MayEnd> {
    if (bytes === undefined) {
      return (feed, number) => {
        const row = this.#sql.archiveTime.get(feed, number) as { readonly updated: number } | undefined;
        return row !== undefined && row.updated < sinceMs;
      };
    }
    const last = await this.#entryBeyond(bytes);
    return (feed, number) => this.#entryAt(feed, number * ARCHIVE_ENTRIES) <= last;
  }

  /** The newest entry that does not fit into so many bytes; 0 if all fit. */
  async #entryBeyond(bytes: number): Promise<number> {
    let left = bytes;
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = this.#log.ask(() => this.#sql.weighed.all(before, ROWS_AT_ONCE)) as WeighedEntry[];
      for (const { entry, bytes: length } of rows) {
        left -= length + ROW_BYTES;
        if (left < 0) return entry;
      }
      before = rows.at(-1)?.entry ?? 0;
      if (rows.length < ROWS_AT_ONCE) return 0;
      await othersFirst();
    }
  }

  #endSome({ name, entries }: EndableFeed, mayEnd: MayEnd): number {
    const before = this.ended(name);
    const full = Math.floor(entries / ARCHIVE_ENTRIES);
    const ended = this.#log.ask(() => {
      let number = before;
      while (number < full && mayEnd(name, number + 1)) number += 1;
      return number;
    });
    if (ended > before) this.#say(name, ended);
    return ended - before;
  }

  #say(feed: string, ended: number): void {
    this.#log.appendWith([], () => this.#sql.putStart.run(feed, ended));
    this.#ended.set(feed, ended);
  }

  /** Drops places of ended archives that no feed shows any more, then bodies without a place. */
  async #dropRows(feeds: readonly EndableFeed[]): Promise<void> {
    let newest = this.ended(BODIES);
    for (const [at, feed] of feeds.entries()) {
      newest = Math.max(newest, await this.#dropPlaces(feed));
      if (at % FEEDS_AT_ONCE === 0) await othersFirst();
    }
    this.#say(BODIES, newest);
    const placed = new Set<number>();
    for (const [at, { name }] of feeds.entries()) {
      for (const entry of this.#placesUpTo(name, newest)) placed.add(entry);
      if (at % FEEDS_AT_ONCE === 0) await othersFirst();
    }
    await this.#dropBodies(newest, placed);
  }

  /** Returns the newest dropped entry; 0 if none was. */
  async #dropPlaces({ name, entries }: EndableFeed): Promise<number> {
    const ended = this.ended(name);
    // The feed itself shows its newest entries, even if their archives have ended.
    const last = Math.min(ended * ARCHIVE_ENTRIES, entries - ARCHIVE_ENTRIES);
    const newest = last > 0 ? this.#log.ask(() => this.#entryAt(name, last)) : Number.POSITIVE_INFINITY;
    for (let some = ROWS_AT_ONCE; last > 0 && some === ROWS_AT_ONCE; ) {
      this.#log.appendWith([], () => {
        some = Number(this.#sql.dropPlaces.run(name, last, ROWS_AT_ONCE).changes);
        // The oldest archive that stays links to the one before it by name.
        this.#sql.dropArchives.run(name, ended);
      });
      if (some === ROWS_AT_ONCE) await othersFirst();
    }
    return Number.isFinite(newest) ? newest : 0;
  }

  /** Entries rise with their numbers. */
  *#placesUpTo(feed: string, newest: number): Generator<number, void, undefined> {
    for (let after = 0; ; ) {
      const rows = this.#log.ask(() => this.#sql.places.all(feed, after, ARCHIVE_ENTRIES)) as PlaceRow[];
      for (const { entry } of rows) {
        if (entry > newest) return;
        yield entry;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < ARCHIVE_ENTRIES) return;
      after = last.number;
    }
  }

  async #dropBodies(newest: number, placed: ReadonlySet<number>): Promise<void> {
    for (let after = 0; ; ) {
      const rows = this.#log.ask(() => this.#sql.entries.all(after, newest, ROWS_AT_ONCE)) as PlaceRow[];
      const loose = rows.filter(({ entry }) => !placed.has(entry));
      if (loose.length > 0) {
        this.#log.appendWith([], () => {
          for (const { entry } of loose) this.#sql.dropEntry.run(entry);
        });
      }
      after = rows.at(-1)?.entry ?? newest;
      if (rows.length < ROWS_AT_ONCE) return;
      await othersFirst();
    }
  }

  /** Infinity if there is no place with that number. */
  #entryAt(feed: string, number: number): number {
    const row = this.#sql.place.get(feed, number) as PlaceRow | undefined;
    return row?.entry ?? Number.POSITIVE_INFINITY;
  }
}

interface WeighedEntry {
  readonly entry: number;
  readonly bytes: number;
}

interface PlaceRow {
  readonly number: number;
  readonly entry: number;
}

function prepareCut(database: SqliteDatabase) {
  return {
    starts: database.prepare('SELECT feed, ended FROM hub_atom_starts'),
    putStart: database.prepare('INSERT OR REPLACE INTO hub_atom_starts (feed, ended) VALUES (?, ?)'),
    archiveTime: database.prepare(
      `SELECT head ->> '$.updatedMs' AS updated FROM hub_atom_archives WHERE feed = ? AND number = ?`,
    ),
    place: database.prepare('SELECT number, entry FROM hub_atom_places WHERE feed = ? AND number = ?'),
    places: database.prepare(
      'SELECT number, entry FROM hub_atom_places WHERE feed = ? AND number > ? ORDER BY number LIMIT ?',
    ),
    weighed: database.prepare(
      'SELECT entry, length(body) AS bytes FROM hub_atom_entries WHERE entry < ? ORDER BY entry DESC LIMIT ?',
    ),
    entries: database.prepare(
      'SELECT entry FROM hub_atom_entries WHERE entry > ? AND entry <= ? ORDER BY entry LIMIT ?',
    ),
    dropPlaces: database.prepare(
      `DELETE FROM hub_atom_places WHERE feed = ?1 AND number IN
       (SELECT number FROM hub_atom_places WHERE feed = ?1 AND number <= ?2 ORDER BY number LIMIT ?3)`,
    ),
    dropArchives: database.prepare('DELETE FROM hub_atom_archives WHERE feed = ? AND number < ?'),
    dropEntry: database.prepare('DELETE FROM hub_atom_entries WHERE entry = ?'),
  };
}
