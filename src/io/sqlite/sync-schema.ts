import { sinkSchemaError } from '../../errors/sink-error.ts';
import type { IndexTables } from '../../sync/index-tables.ts';
import type { SqliteDatabase } from './database.ts';

/** What others read these tables by. `position` is the order of the page; a section's `updated` is when that section was last found changed. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  pages: ['url', 'source', 'title', 'checksum', 'updated'],
  sections: [
    ...['url', 'anchor', 'title', 'heading', 'markdown', 'checksum', 'updated', 'source'],
    ...['position', 'id'],
  ],
  chunks: ['url', 'anchor', 'id', 'position', 'text', 'tokens', 'fingerprint'],
};

/**
 * A separate id for each section: VACUUM renumbers rows without one, and the full text would point elsewhere. The full text names its sections, so that a
 * search needs no second table.
 */
const SYNC_SCHEMA = `
  CREATE TABLE pages (
    url TEXT PRIMARY KEY, source TEXT NOT NULL, title TEXT NOT NULL, checksum TEXT NOT NULL, updated TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sections (
    url TEXT NOT NULL, anchor TEXT NOT NULL, title TEXT NOT NULL, heading TEXT NOT NULL, markdown TEXT NOT NULL,
    checksum TEXT NOT NULL, updated TEXT NOT NULL, source TEXT NOT NULL, position INTEGER NOT NULL, id INTEGER PRIMARY KEY,
    UNIQUE (url, anchor)
  ) STRICT;
  CREATE TABLE chunks (
    id TEXT PRIMARY KEY, url TEXT NOT NULL, anchor TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL,
    tokens INTEGER NOT NULL, fingerprint TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX chunks_by_page ON chunks (url, anchor, position);
  CREATE VIRTUAL TABLE sections_fts USING fts5 (
    title, heading, markdown, url UNINDEXED, anchor UNINDEXED,
    content = 'sections', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER sections_fts_insert AFTER INSERT ON sections BEGIN
    INSERT INTO sections_fts (rowid, title, heading, markdown) VALUES (new.id, new.title, new.heading, new.markdown);
  END;
  CREATE TRIGGER sections_fts_delete AFTER DELETE ON sections BEGIN
    INSERT INTO sections_fts (sections_fts, rowid, title, heading, markdown)
      VALUES ('delete', old.id, old.title, old.heading, old.markdown);
  END;
  CREATE TRIGGER sections_fts_update AFTER UPDATE OF title, heading, markdown ON sections BEGIN
    INSERT INTO sections_fts (sections_fts, rowid, title, heading, markdown)
      VALUES ('delete', old.id, old.title, old.heading, old.markdown);
    INSERT INTO sections_fts (rowid, title, heading, markdown) VALUES (new.id, new.title, new.heading, new.markdown);
  END;
`;

/** What a database has of an index. Throws where something else has one of its names. Writes nothing. */
export function inspectSyncTables(database: SqliteDatabase, file: string): IndexTables {
  const found = Object.keys(TABLES).filter((table) => isThere(database, table));
  for (const table of found) ensureColumns(database, file, table);
  if (found.length > 0 && found.length < Object.keys(TABLES).length) {
    throw sinkSchemaError(file, `it has a table "${found[0]}", but not the others of an index`);
  }
  const fullText = sqlOf(database, 'sections_fts');
  if ((fullText !== undefined) !== found.length > 0 || (fullText !== undefined && !/using\s+fts5\b/i.test(fullText))) {
    throw sinkSchemaError(file, 'its "sections_fts" is not the full text of an index');
  }
  const vectors = sqlOf(database, 'chunk_vectors');
  if (vectors === undefined) return { isThere: found.length > 0 };
  const dimension = /using\s+vec0\s*\(\s*chunk_id\s+text\s+primary\s+key,\s*embedding\s+float\[(\d+)\]/i.exec(
    vectors,
  )?.[1];
  if (dimension === undefined) throw sinkSchemaError(file, 'its "chunk_vectors" are not the vectors of an index');
  return { isThere: found.length > 0, dimension: Number(dimension) };
}

/** Inside a transaction. */
export function createSyncTables(database: SqliteDatabase): void {
  database.exec(SYNC_SCHEMA);
}

function ensureColumns(database: SqliteDatabase, file: string, table: string): void {
  const wanted = TABLES[table] ?? [];
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table) as { readonly name: string }[];
  const names = columns.map(({ name }) => name);
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length === 0) return;
  throw sinkSchemaError(
    file,
    `it has a table "${table}" without the column ${missing.map((name) => `"${name}"`).join(', ')}`,
  );
}

function isThere(database: SqliteDatabase, name: string): boolean {
  return sqlOf(database, name) !== undefined;
}

/** Names of SQLite know no case. */
function sqlOf(database: SqliteDatabase, name: string): string | undefined {
  const row = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE').get(name);
  return (row as { readonly sql: string | null } | undefined)?.sql ?? undefined;
}
