/**
 * Beside the tables of a hub. `record` and `head` are JSON, bodies are packed. An entry stands in the feed of its source and in
 * that of all, so its body is kept once and placed in both. Entries and archives only grow, whoever writes to the database.
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
${['entries', 'places', 'archives'].map(onlyGrows).join('\n')}
`;

function onlyGrows(table: string): string {
  return `  CREATE TRIGGER IF NOT EXISTS hub_atom_${table}_stay BEFORE UPDATE ON hub_atom_${table}
    BEGIN SELECT RAISE(ABORT, 'What was published is never changed.'); END;
  CREATE TRIGGER IF NOT EXISTS hub_atom_${table}_are_kept BEFORE DELETE ON hub_atom_${table}
    BEGIN SELECT RAISE(ABORT, 'What was published is never deleted.'); END;`;
}
