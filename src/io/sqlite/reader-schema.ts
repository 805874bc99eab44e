import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { inTransaction, openRawDatabase, type SqliteDatabase } from './database.ts';
import { readerTablesSchema } from './reader-tables.ts';

const VERSION = 1;
const FORMAT_TABLE = 'reader_format';

/**
 * Fails with {@link StateCorruptError} when a file is there that is not a reader's state, or one of a later format.
 * It is opened for reading only, so that it stays as it is, byte for byte.
 */
export async function inspectReaderFile(file: string): Promise<void> {
  const database = await openRawDatabase(file, { readonly: true });
  try {
    const tables = tablesOf(database);
    if (tables.length === 0) return;
    if (!tables.includes(FORMAT_TABLE)) {
      const what = 'this database is not the state of a reader of agent-feeds.';
      throw new StateCorruptError(file, what, 'Name another --state.');
    }
    const { version } = database.prepare(`SELECT version FROM ${FORMAT_TABLE}`).get() as { readonly version: number };
    if (version > VERSION) {
      const what = `it is in format ${version}, this Tidings knows ${VERSION}.`;
      throw new StateCorruptError(file, what, 'Upgrade Tidings, then run again.');
    }
  } finally {
    database.close();
  }
}

/** Makes a new, empty database a reader's state. */
export function ensureReaderSchema(database: SqliteDatabase): void {
  if (tablesOf(database).length > 0) return;
  inTransaction(database, () =>
    database.exec(`
      CREATE TABLE ${FORMAT_TABLE} (version INTEGER NOT NULL) STRICT;
      INSERT INTO ${FORMAT_TABLE} VALUES (${VERSION});
      ${readerTablesSchema('reader')}
    `),
  );
}

function tablesOf(database: SqliteDatabase): string[] {
  const rows = database.prepare('SELECT name FROM sqlite_schema').all() as { readonly name: string }[];
  return rows.map(({ name }) => name);
}
