import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { inTransaction, type SqliteDatabase } from './database.ts';
import { migrateFollowTables } from './follow-migration.ts';
import { ensureItemTables, followTablesSchema } from './follow-tables.ts';

const VERSION = 5;
/** What was remembered of feeds stood in another shape. */
const FIRST_VERSION = 1;
/**
 * In format 2, archives of DiffDelta were stored whole; in 3, texts of pages were, and the deltas of archives had another encoding. In 4 the names of texts
 * were texts, and stay so there. All are read where they are; an older hub cannot read what is written today.
 */
const READABLE_VERSIONS: readonly number[] = [FIRST_VERSION, 2, 3, 4, VERSION];

/** Databases of earlier versions do not have these; they need nothing else. */
const LATER_TABLES = {
  hub_quiet_checks: 'CREATE TABLE hub_quiet_checks (number INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT',
  /** For missing pages: their new addresses. */
  hub_moves:
    'CREATE TABLE hub_moves (source TEXT, url TEXT, target TEXT NOT NULL, PRIMARY KEY (source, url)) STRICT, WITHOUT ROWID',
};

/**
 * Beside the tables of a log. What one visit writes is clustered by source, so that its cost follows the source and not the hub.
 * Snapshots are bytes, not SQLite text: that may end at a NUL character.
 */
const TABLES = `
  CREATE TABLE hub_format (version INTEGER NOT NULL) STRICT;
  CREATE TABLE hub_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE hub_sources (
    id TEXT PRIMARY KEY, watched TEXT NOT NULL, health TEXT NOT NULL,
    allow_deletes INTEGER NOT NULL, checks INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE hub_checks (
    source TEXT, slot INTEGER, number INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (source, slot)
  ) STRICT, WITHOUT ROWID;
  ${Object.values(LATER_TABLES).join(';\n  ')};
  CREATE TABLE hub_found_by (source TEXT PRIMARY KEY, found_by TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE hub_pages (
    source TEXT, url TEXT, file TEXT NOT NULL, extractor TEXT NOT NULL, line BLOB NOT NULL, snapshot TEXT,
    missing_since_ms INTEGER,
    PRIMARY KEY (source, url)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE hub_snapshots (
    checksum BLOB PRIMARY KEY, last_used_ms INTEGER NOT NULL, is_deflated INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT;
  CREATE TABLE hub_follow_entries (
    source TEXT, entry TEXT, body TEXT NOT NULL, PRIMARY KEY (source, entry)
  ) STRICT, WITHOUT ROWID;
  ${followTablesSchema('hub_follow')}
`;

/** How to read the source of a change, written once: a query uses the index only with this exact expression. */
export const SOURCE_OF_CHANGE = `body ->> '$.source'`;

export const URL_OF_CHANGE = `body ->> '$.url'`;
/** Pages that a feed reported: our own findings are `compare`, and anything but a page is an endpoint. */
export const IS_TOLD_PAGE = `body ->> '$.provenance.by' <> 'compare' AND body ->> '$.kind' = 'page'`;

/** Only of feeds, so that the log of a crawler does not pay for it. */
const TOLD_INDEX = `
  CREATE INDEX IF NOT EXISTS hub_told_pages ON changes (${SOURCE_OF_CHANGE}, ${URL_OF_CHANGE}) WHERE ${IS_TOLD_PAGE}
`;

/** The index of changes is kept up by SQLite itself, also while the log is written without a hub, and ends in `seq`. */
const INDEXES = `
  CREATE INDEX hub_changes ON changes (${SOURCE_OF_CHANGE});
  CREATE INDEX hub_pages_by_snapshot ON hub_pages (snapshot) WHERE snapshot IS NOT NULL;
  CREATE INDEX hub_snapshots_by_use ON hub_snapshots (last_used_ms);
`;

/**
 * Checks that we know the format of the tables of the hub, and makes them if there are none.
 *
 * A reader makes them empty and for itself alone: a log without a hub reads as a hub without sources.
 */
export function ensureHubSchema(database: SqliteDatabase, file: string, options: { readonly readonly: boolean }): void {
  const version = readVersion(database);
  if (version !== undefined && READABLE_VERSIONS.includes(version)) {
    upgrade(database, file, { ...options, version });
    return;
  }
  if (version !== undefined) {
    const what = `its hub is in format ${version}, this Tidings knows ${VERSION}.`;
    throw new StateCorruptError(file, what, 'Upgrade Tidings, then run again.');
  }
  if (options.readonly) database.exec(TABLES.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE'));
  else
    inTransaction(database, () =>
      database.exec(`${TABLES}; ${INDEXES}; ${TOLD_INDEX}; INSERT INTO hub_format VALUES (${VERSION})`),
    );
}

/** A database that is only read stays as it is: readers do not need the memory of feeds. */
function upgrade(
  database: SqliteDatabase,
  file: string,
  { readonly, version }: { readonly readonly: boolean; readonly version: number },
): void {
  if (readonly) {
    ensureItemTables(database, 'hub_follow', { readonly });
    ensureLaterTables(database, 'CREATE TEMP TABLE');
    return;
  }
  inTransaction(database, () => {
    ensureItemTables(database, 'hub_follow', { readonly });
    ensureLaterTables(database, 'CREATE TABLE');
    database.exec(TOLD_INDEX);
    if (version === VERSION) return;
    if (version === FIRST_VERSION) {
      migrateFollowTables(database, { entries: 'hub_follow_entries', pending: 'hub_follow_pending' }, file);
    }
    database.prepare('UPDATE hub_format SET version = ?').run(VERSION);
  });
}

function ensureLaterTables(database: SqliteDatabase, create: 'CREATE TABLE' | 'CREATE TEMP TABLE'): void {
  for (const [name, table] of Object.entries(LATER_TABLES)) {
    if (!hasTable(database, name)) database.exec(table.replace('CREATE TABLE', create));
  }
}

/** Undefined if there is no hub. */
function readVersion(database: SqliteDatabase): number | undefined {
  if (!hasTable(database, 'hub_format')) return undefined;
  const { version } = database.prepare('SELECT max(version) AS version FROM hub_format').get() as { version: number };
  return version;
}

function hasTable(database: SqliteDatabase, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}
