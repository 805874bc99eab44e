import { ARCHIVE_ENTRIES } from '../../dialects/atom/shelf/atom-store.ts';

/**
 * Beside the tables of a hub. `record` and `head` are JSON, bodies are packed. An entry is in the feed of its source and in that of all, so its body is stored
 * once and placed in both. Entries and archives never change, and none is deleted before `hub_atom_starts` says that it has ended (for bodies: the row without
 * a name), whoever writes to the database.
 */
export const ATOM_SCHEMA = `
  CREATE TABLE IF NOT EXISTS hub_atom (
    one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, identity TEXT NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO hub_atom (one, seq, identity) VALUES (1, 0, lower(hex(randomblob(16))));
  CREATE TABLE IF NOT EXISTS hub_atom_feeds (name TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS hub_atom_entries (entry INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS hub_atom_places (
    feed TEXT, number INTEGER, entry INTEGER NOT NULL, PRIMARY KEY (feed, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_atom_archives (
    feed TEXT, number INTEGER, head TEXT NOT NULL, PRIMARY KEY (feed, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_atom_starts (feed TEXT PRIMARY KEY, ended INTEGER NOT NULL) STRICT, WITHOUT ROWID;
${stays('entries', `OLD.entry > ${endedOf(`''`)}`)}
${stays('places', `OLD.number > ${ARCHIVE_ENTRIES} * ${endedOf('OLD.feed')}`)}
${stays('archives', `OLD.number > ${endedOf('OLD.feed')}`)}
`;

function endedOf(feed: string): string {
  return `coalesce((SELECT ended FROM hub_atom_starts WHERE feed = ${feed}), 0)`;
}

/** Hubs before retention let nothing go at all. */
function stays(table: string, isKept: string): string {
  return `  CREATE TRIGGER IF NOT EXISTS hub_atom_${table}_stay BEFORE UPDATE ON hub_atom_${table}
    BEGIN SELECT RAISE(ABORT, 'What was published is never changed.'); END;
  DROP TRIGGER IF EXISTS hub_atom_${table}_are_kept;
  CREATE TRIGGER IF NOT EXISTS hub_atom_${table}_end BEFORE DELETE ON hub_atom_${table} WHEN ${isKept}
    BEGIN SELECT RAISE(ABORT, 'What was published and has not ended is never deleted.'); END;`;
}
