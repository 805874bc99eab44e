import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { inTransaction, openRawDatabase, type SqliteDatabase } from './database.ts';
import { migrateFollowTables } from './follow-migration.ts';
import { ensureItemTables, followTablesSchema } from './follow-tables.ts';
import { ensureSchema } from './log-schema.ts';

const VERSION = 2;

/** Beside the tables of a log, so that the file can be read as one. */
const FOLLOW_SCHEMA = `
  CREATE TABLE follow_format (version INTEGER NOT NULL) STRICT;
  CREATE TABLE follow_sources (source TEXT PRIMARY KEY, entry TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${followTablesSchema('follow')}
  INSERT INTO follow_format VALUES (${VERSION});
`;

/**
 * Fails with {@link StateCorruptError} when a file is there that is not a follower's state, or one of a later format.
 * It is opened for reading only, so that it stays as it is, byte for byte.
 */
export async function inspectStateFile(file: string): Promise<void> {
  const database = await openRawDatabase(file, { readonly: true });
  try {
    const tables = database.prepare('SELECT name FROM sqlite_schema').all().map(nameOf);
    if (tables.length === 0) return;
    ensureSchema(database, file, { create: false });
    if (!tables.includes('follow_format')) {
      throw new StateCorruptError(file, 'this is a log, not a state of a follower.', 'Name another --state.');
    }
    const { version } = database.prepare('SELECT version FROM follow_format').get() as { readonly version: number };
    if (version > VERSION) {
      const what = `it is in format ${version}, this Tidings knows ${VERSION}.`;
      throw new StateCorruptError(file, what, 'Upgrade Tidings, then run again.');
    }
  } finally {
    database.close();
  }
}

/** Makes a new, empty database a follower's state, and one of an earlier release one of this. */
export function ensureFollowSchema(database: SqliteDatabase, file: string): void {
  ensureSchema(database, file, { create: true });
  const tables = database.prepare('SELECT name FROM sqlite_schema').all().map(nameOf);
  if (!tables.includes('follow_format')) inTransaction(database, () => database.exec(FOLLOW_SCHEMA));
  else inTransaction(database, () => upgrade(database, file));
}

function upgrade(database: SqliteDatabase, file: string): void {
  ensureItemTables(database, 'follow', { readonly: false });
  const { version } = database.prepare('SELECT version FROM follow_format').get() as { readonly version: number };
  if (version >= VERSION) return;
  migrateFollowTables(database, { entries: 'follow_sources', pending: 'follow_pending' }, file);
  database.prepare('UPDATE follow_format SET version = ?').run(VERSION);
}

function nameOf(row: unknown): string {
  return (row as { readonly name: string }).name;
}
