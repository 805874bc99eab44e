import { databaseBehindError, databaseFormatError, databaseRefusedError } from '../../../errors/database-error.ts';
import { randomEpoch } from '../../node/random-token.ts';
import type { ClusterDatabase, ClusterSession } from './cluster-database.ts';

/** What leads from one format to the next: the first one from nothing. `schema` is quoted. */
export type TableMigration = (schema: string) => string;

/**
 * Numbers of writes and changes come from `head`, never from a sequence. Those of `tokens` only have to differ and rise, and nobody reads by them.
 * `changes.body` is that of SQLite. A write's changes are those up to its `seq`; `stamp` identifies the transaction that made it.
 */
const TABLES: TableMigration = (schema) => `
  CREATE TABLE ${schema}.head (
    is_head boolean PRIMARY KEY DEFAULT true CHECK (is_head), format integer NOT NULL, epoch text NOT NULL,
    rev bigint NOT NULL DEFAULT 0, seq bigint NOT NULL DEFAULT 0, last_id text, last_time text
  ) WITH (fillfactor = 10);
  CREATE TABLE ${schema}.writes (
    rev bigint PRIMARY KEY, kind text NOT NULL, body bytea NOT NULL, changes integer NOT NULL, seq bigint NOT NULL,
    bytes integer NOT NULL, stamp text NOT NULL, at timestamptz NOT NULL
  );
  ALTER TABLE ${schema}.writes ALTER COLUMN body SET STORAGE EXTERNAL;
  CREATE TABLE ${schema}.changes (
    seq bigint PRIMARY KEY, id text NOT NULL, rev bigint NOT NULL, source text NOT NULL, body text NOT NULL
  );
  CREATE SEQUENCE ${schema}.tokens;
  CREATE TABLE ${schema}.sources (
    id text PRIMARY KEY, host text NOT NULL, due_at timestamptz, holder text, token bigint NOT NULL, until timestamptz,
    rev bigint NOT NULL
  ) WITH (fillfactor = 70);
  CREATE INDEX ON ${schema}.sources (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX ON ${schema}.sources (host) WHERE until IS NOT NULL;
  CREATE TABLE ${schema}.roles (name text PRIMARY KEY, holder text, token bigint NOT NULL, until timestamptz);
  CREATE TABLE ${schema}.hosts (mark text, host text, until_ms bigint NOT NULL, PRIMARY KEY (mark, host));
  CREATE TABLE ${schema}.processes (
    id text PRIMARY KEY, kind text NOT NULL, started_at timestamptz NOT NULL, seen_at timestamptz NOT NULL, rev bigint NOT NULL,
    facts jsonb NOT NULL
  );
  CREATE TABLE ${schema}.bases (
    rev bigint PRIMARY KEY, bytes bigint NOT NULL, sha256 text NOT NULL, is_whole boolean NOT NULL, at timestamptz NOT NULL
  );
  CREATE TABLE ${schema}.base_pieces (
    rev bigint NOT NULL REFERENCES ${schema}.bases (rev) ON DELETE CASCADE, number integer NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (rev, number)
  );
  ALTER TABLE ${schema}.base_pieces ALTER COLUMN body SET STORAGE EXTERNAL;
`;

/** The counts of clients over all processes, while they matter. Not worth a write to the disk: after a crash the counts start again. */
const LIMITS: TableMigration = (schema) => `
  CREATE UNLOGGED TABLE ${schema}.limits (
    name text, client text, total integer NOT NULL, ends_at timestamptz NOT NULL, PRIMARY KEY (name, client)
  ) WITH (fillfactor = 70);
  CREATE INDEX ON ${schema}.limits (ends_at);
`;

export const MIGRATIONS: readonly TableMigration[] = [TABLES, LIMITS];

/** The format that this version reads and writes. */
export const CLUSTER_FORMAT = MIGRATIONS.length;

/** Asked of the catalogue as it is now: `to_regclass` answers what the session remembers. */
const RELATIONS =
  'SELECT c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1';

/** Makes missing tables, in one transaction, one process at a time. Throws if the tables are newer, or not ours. */
export async function ensureClusterSchema(database: ClusterDatabase, migrations = MIGRATIONS): Promise<void> {
  if ((await readFormat(database, migrations, (text, values) => database.ask(text, values))) === migrations.length)
    return;
  await database.inTransaction(async (session) => {
    await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `tidings tables ${database.schemaName}`,
    ]);
    const found = await readFormat(database, migrations, session.query);
    if (found === 0) await begin(database, session);
    for (const migrate of migrations.slice(found)) await session.query(migrate(database.schema));
    if (found === 0) {
      await session.query(`INSERT INTO ${database.schema}.head (format, epoch) VALUES ($1, $2)`, [
        migrations.length,
        randomEpoch(),
      ]);
    }
    await session.query(`UPDATE ${database.schema}.head SET format = $1`, [migrations.length]);
  });
}

/**
 * For readers: makes and changes no table that others use. Throws if there are none, unless some may be begun, and if a process of this version has not
 * updated them yet.
 */
export async function ensureClusterTables(
  database: ClusterDatabase,
  { mayBegin }: { readonly mayBegin: boolean },
): Promise<void> {
  const found = await readFormat(database, MIGRATIONS, (text, values) => database.ask(text, values));
  if (found === MIGRATIONS.length) return;
  if (found > 0) throw databaseBehindError(database.shown, found, MIGRATIONS.length);
  if (!mayBegin) {
    throw databaseRefusedError(
      database.shown,
      'it holds no hub',
      'Name the one that the hub runs on, with its ?schema=.',
    );
  }
  await ensureClusterSchema(database);
}

/** 0 where nothing was begun. */
async function readFormat(
  { schema, schemaName, shown }: ClusterDatabase,
  migrations: readonly TableMigration[],
  query: ClusterSession['query'],
): Promise<number> {
  const tables = await query(`${RELATIONS} AND c.relname = 'head'`, [schemaName]);
  if (tables.length === 0) return 0;
  const [head] = await query<{ readonly format: number }>(`SELECT format FROM ${schema}.head`);
  if (head === undefined) {
    throw databaseRefusedError(shown, 'its table "head" is empty', 'Bring the database back from a backup.');
  }
  if (head.format > migrations.length) throw databaseFormatError(shown, head.format, migrations.length);
  return head.format;
}

async function begin({ schema, schemaName, shown }: ClusterDatabase, session: ClusterSession): Promise<void> {
  const found = await session.query<{ readonly name: string }>(`${RELATIONS} LIMIT 1`, [schemaName]);
  if (found[0] !== undefined) {
    const reason = `its schema ${schema} holds "${found[0].name}", which is not of a hub`;
    throw databaseRefusedError(shown, reason, 'Name an empty schema, or one that is not there yet, with ?schema=.');
  }
  const there = await session.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schemaName]);
  if (there.length === 0) await session.query(`CREATE SCHEMA ${schema}`);
}
