import type { SqliteDatabase } from './database.ts';

/** Raised whenever what is written here changes its meaning: the catalogue is then made again from the log. */
const VERSION = 2;

/**
 * Integers, and each word once: names and texts are in the log. Names are found by their hashes, which the caller checks against the log.
 *
 * `changes` leads from a change to its page, and its index the other way round; `section_changes` to its sections; `tallies` counts a day by source, and all
 * together under 0. Words are in separate tables, see {@link CatalogueWords}.
 */
const TABLES = `
  CREATE TABLE catalogue (one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, start INTEGER NOT NULL) STRICT;
  CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE pages (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, source INTEGER NOT NULL, last INTEGER NOT NULL, changes INTEGER NOT NULL) STRICT;
  CREATE UNIQUE INDEX pages_by_key ON pages (key, source);
  CREATE INDEX pages_by_last ON pages (source, last);
  CREATE TABLE changes (seq INTEGER PRIMARY KEY, page INTEGER NOT NULL, facts INTEGER NOT NULL) STRICT;
  CREATE INDEX changes_by_page ON changes (page);
  CREATE TABLE section_changes (page INTEGER, key INTEGER, seq INTEGER, PRIMARY KEY (page, key, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE tallies (
    day INTEGER, source INTEGER, creates INTEGER NOT NULL, updates INTEGER NOT NULL, deletes INTEGER NOT NULL, PRIMARY KEY (day, source)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE vocabulary (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE days (day INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT;
`;

/** The place of a catalogue in a log. */
export interface CataloguePlace {
  /** Which log; '' while no backup was ever restored. */
  readonly epoch: string;
  readonly seq: number;
  /** The id of that change; '' before the first. */
  readonly id: string;
  /** Up to where changes were forgotten. */
  readonly start: number;
}

/** Undefined if there is none yet, or one of another format. */
export function readCataloguePlace(database: SqliteDatabase): CataloguePlace | undefined {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  if (version !== VERSION) return undefined;
  return database.prepare('SELECT epoch, seq, id, start FROM catalogue').get() as CataloguePlace | undefined;
}

/** In a database that is empty. */
export function beginCatalogue(database: SqliteDatabase, { epoch, seq, id, start }: CataloguePlace): void {
  database.exec(`${TABLES}; PRAGMA user_version = ${VERSION}`);
  database.prepare('INSERT INTO catalogue VALUES (1, ?, ?, ?, ?)').run(epoch, seq, id, start);
}
