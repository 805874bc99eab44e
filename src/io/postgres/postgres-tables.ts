import { sinkPartMissingError, sinkSchemaError } from '../../errors/sink-error.ts';
import type { IndexTables } from '../../sync/index-tables.ts';
import type { PostgresSession } from './postgres-session.ts';

const TABLES: Readonly<Record<string, readonly string[]>> = {
  pages: ['url text', 'source text', 'title text', 'checksum text', 'updated text', 'id bigint'],
  sections: [
    ...[
      'url text',
      'anchor text',
      'title text',
      'heading text',
      'markdown text',
      'checksum text',
      'updated text',
      'source text',
    ],
    ...['position integer', 'document tsvector'],
  ],
  chunks: ['id text', 'url text', 'anchor text', 'position integer', 'text text', 'tokens integer', 'fingerprint text'],
};
const VIEW = 'sections_fts';
const VECTORS = 'chunk_vectors';
/** The most that pgvector takes. */
export const MAX_PGVECTOR_DIMENSION = 16_000;

interface ColumnRow {
  readonly relation: string;
  readonly kind: string;
  readonly column: string;
  readonly type: string;
}

/** Throws where something else has one of its names. Writes nothing. */
export async function inspectPostgresTables(
  session: PostgresSession,
  schema: string,
  shown: string,
): Promise<IndexTables> {
  const names = [...Object.keys(TABLES), VIEW, VECTORS];
  const { rows } = await session.query(COLUMNS, [schema, names]);
  const columns = rows as ColumnRow[];
  const found = new Set(columns.map(({ relation }) => relation));
  if (found.size === 0) return { isThere: false };
  for (const [table, wanted] of Object.entries(TABLES)) ensureColumns(table, wanted, columns, shown);
  if (!columns.some(({ relation, kind }) => relation === VIEW && kind === 'v')) throw foreign(shown, VIEW);
  if (!found.has(VECTORS)) return { isThere: true };
  const type = columns.find(({ relation, column }) => relation === VECTORS && column === 'embedding')?.type;
  const dimension = /(?:^|[."])vector\((\d+)\)$/.exec(type ?? '')?.[1];
  if (dimension === undefined) throw foreign(shown, VECTORS);
  return { isThere: true, dimension: Number(dimension) };
}

/** The type of a vector, by its full name: an extension may be in any schema. Throws if there is none. */
export async function findVectorType(session: PostgresSession, shown: string): Promise<string> {
  const { rows } = await session.query(
    "SELECT n.nspname AS schema FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector'",
  );
  const [row] = rows as { readonly schema: string }[];
  if (row !== undefined) return `${quoted(row.schema)}.vector`;
  const remedy =
    'Let somebody who may do so run in this database: CREATE EXTENSION vector; (https://github.com/pgvector/pgvector)';
  throw sinkPartMissingError(shown, 'the extension pgvector', remedy);
}

/** Inside a transaction that holds the lock of the schema. */
export async function createPostgresTables(session: PostgresSession, schema: string): Promise<void> {
  const { rows } = await session.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await session.query(`CREATE SCHEMA ${quoted(schema)}`);
  await session.query(tablesOf(quoted(schema)));
}

/** With the dimension that it then has for good. Inside a transaction. */
export async function createPostgresVectors(
  session: PostgresSession,
  schema: string,
  { type, dimension }: { readonly type: string; readonly dimension: number },
): Promise<void> {
  const place = quoted(schema);
  await session.query(
    `CREATE TABLE ${place}.${VECTORS} (chunk_id text PRIMARY KEY REFERENCES ${place}.chunks (id) ON DELETE CASCADE, embedding ${type}(${dimension}) NOT NULL)`,
  );
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in a statement that takes no values, whatever the server makes of backslashes. */
export function literal(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return text.includes('\\') ? ` E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}

const COLUMNS = `
  SELECT c.relname AS relation, c.relkind AS kind, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE n.nspname = $1 AND c.relname = ANY ($2)
`;

/**
 * Addresses and anchors may be longer than a B-tree takes (2,704 bytes), so that hashes keep them apart. A tsvector ends at a megabyte, so that the full text
 * is that of the beginning of a section.
 */
function tablesOf(schema: string): string {
  return `
    CREATE TABLE ${schema}.pages (
      url text NOT NULL, source text NOT NULL, title text NOT NULL, checksum text NOT NULL, updated text NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, EXCLUDE USING hash (url WITH =)
    );
    CREATE TABLE ${schema}.sections (
      url text NOT NULL, anchor text NOT NULL, title text NOT NULL, heading text NOT NULL, markdown text NOT NULL, checksum text NOT NULL,
      updated text NOT NULL, source text NOT NULL, position integer NOT NULL,
      document tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple'::regconfig, left(heading, 1000)), 'A') ||
        setweight(to_tsvector('simple'::regconfig, left(title, 1000)), 'B') ||
        to_tsvector('simple'::regconfig, left(markdown, 100000))
      ) STORED,
      EXCLUDE USING hash ((url || '#' || anchor) WITH =)
    );
    CREATE INDEX ON ${schema}.sections USING hash (url);
    CREATE INDEX ON ${schema}.sections USING gin (document);
    CREATE VIEW ${schema}.${VIEW} AS SELECT url, anchor, title, heading, markdown, source, document FROM ${schema}.sections;
    CREATE TABLE ${schema}.chunks (
      id text PRIMARY KEY, url text NOT NULL, anchor text NOT NULL, position integer NOT NULL, text text NOT NULL,
      tokens integer NOT NULL, fingerprint text NOT NULL
    );
    CREATE INDEX ON ${schema}.chunks USING hash (url);
  `;
}

function ensureColumns(table: string, wanted: readonly string[], columns: readonly ColumnRow[], shown: string): void {
  const own = columns.filter(({ relation, kind }) => relation === table && 'rp'.includes(kind));
  if (own.length === 0)
    throw sinkSchemaError(shown, `it has tables of these names, but no table "${table}" of an index`);
  const missing = wanted.filter((wish) => !own.some(({ column, type }) => `${column} ${type}` === wish));
  if (missing.length === 0) return;
  throw sinkSchemaError(shown, `it has a table "${table}" without the column ${missing.join(', ')}`);
}

function foreign(shown: string, name: string): Error {
  return sinkSchemaError(shown, `its "${name}" is not that of an index`);
}
