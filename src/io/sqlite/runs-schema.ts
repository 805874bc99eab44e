/**
 * Beside the tables of a hub. `record`, `item` and the `id` of an item are JSON (SQLite text may end at a NUL character), bodies are packed. Feeds are
 * separate from their records, which are all read on opening. Archives never change, and none is deleted before `hub_run_start` says that it has ended,
 * whoever writes to the database. `hub_run_items` and `hub_run_archives` are what 0.1.0 wrote: an item moves from there when its page changes, an archive
 * stays where it is. Archives that outlive their base are also stored whole there.
 */
export const RUNS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS hub_runs (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO hub_runs (one, seq) VALUES (1, 0);
  CREATE TABLE IF NOT EXISTS hub_run_feeds (name TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS hub_run_latest (name TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS hub_run_items (
    source TEXT, id TEXT, is_removed INTEGER NOT NULL, item TEXT NOT NULL, PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_run_known (
    source TEXT, id TEXT, body BLOB NOT NULL, PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_run_archives (path TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS hub_run_closed (key BLOB PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_run_start (
    one INTEGER PRIMARY KEY CHECK (one = 1), second BLOB NOT NULL, stamp TEXT NOT NULL
  ) STRICT;
${stays('archives', `substr(OLD.path, -34, 16) >= coalesce((SELECT stamp FROM hub_run_start), '')`)}
${stays('closed', `OLD.key >= coalesce((SELECT second FROM hub_run_start), x'')`)}
`;

/** Hubs before retention let no archive go at all. */
function stays(table: string, isKept: string): string {
  return `  CREATE TRIGGER IF NOT EXISTS hub_run_${table}_stay BEFORE UPDATE ON hub_run_${table}
    BEGIN SELECT RAISE(ABORT, 'An archive is never changed.'); END;
  DROP TRIGGER IF EXISTS hub_run_${table}_are_kept;
  CREATE TRIGGER IF NOT EXISTS hub_run_${table}_end BEFORE DELETE ON hub_run_${table} WHEN ${isKept}
    BEGIN SELECT RAISE(ABORT, 'An archive that has not ended is never deleted.'); END;`;
}
