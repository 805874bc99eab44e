/**
 * The provable logs of a hub, beside the changes that they are about. One row of `hub_tlogs` is one log with its head; everything that belongs to it has its
 * number. Full tiles and bundles (gzip) never change and are never deleted, whoever writes to the database: checkpoints were signed over them. Entries of a
 * bundle that is not full yet are separate rows.
 */
export const TLOG_SCHEMA = `
  CREATE TABLE IF NOT EXISTS hub_tlogs (
    log INTEGER PRIMARY KEY, epoch TEXT, origin TEXT NOT NULL, vkey TEXT NOT NULL, seed BLOB NOT NULL,
    seq INTEGER NOT NULL, documents_seq INTEGER NOT NULL, size INTEGER NOT NULL, root BLOB NOT NULL, checkpoint TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hub_tlog_tiles (
    log INTEGER, level INTEGER, tile INTEGER, hashes BLOB NOT NULL, PRIMARY KEY (log, level, tile)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hub_tlog_open_tiles (
    log INTEGER, level INTEGER, hashes BLOB NOT NULL, PRIMARY KEY (log, level)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_tlog_bundles (
    log INTEGER, bundle INTEGER, body BLOB NOT NULL, PRIMARY KEY (log, bundle)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hub_tlog_open_entries (
    log INTEGER, entry INTEGER, body BLOB NOT NULL, PRIMARY KEY (log, entry)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_tlog_changes (
    seq INTEGER PRIMARY KEY, log INTEGER NOT NULL, entry INTEGER NOT NULL, salts BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hub_tlog_documents (path TEXT PRIMARY KEY, hash BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_tlog_checks (
    log INTEGER, entry INTEGER, at_ms INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (log, entry)
  ) STRICT, WITHOUT ROWID;
${stays('tiles')}
${stays('bundles')}
`;

function stays(table: string): string {
  return `  CREATE TRIGGER IF NOT EXISTS hub_tlog_${table}_stay BEFORE UPDATE ON hub_tlog_${table}
    BEGIN SELECT RAISE(ABORT, 'What was signed is never changed.'); END;
  CREATE TRIGGER IF NOT EXISTS hub_tlog_${table}_are_kept BEFORE DELETE ON hub_tlog_${table}
    BEGIN SELECT RAISE(ABORT, 'What was signed is never deleted.'); END;`;
}
