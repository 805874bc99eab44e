import { databaseRefusedError } from '../../../errors/database-error.ts';
import { type ClusterDatabase, type ClusterDatabaseOptions, connectClusterDatabase } from './cluster-database.ts';
import { ensureClusterSchema, ensureClusterTables } from './cluster-schema.ts';

/** What `pg_current_xact_id` and much else begin with. */
const OLDEST_VERSION = 13;

interface ServerFacts {
  readonly version: string;
  readonly encoding: string;
}

/** The database that the processes of a hub share: looked at, and with the tables of this version. */
export function openClusterDatabase(options: ClusterDatabaseOptions): Promise<ClusterDatabase> {
  return open(options, ensureClusterSchema);
}

/** The same for readers, which leave the tables to the processes of the hub. */
export function visitClusterDatabase(
  options: ClusterDatabaseOptions,
  { mayBegin }: { readonly mayBegin: boolean },
): Promise<ClusterDatabase> {
  return open(options, (database) => ensureClusterTables(database, { mayBegin }));
}

async function open(
  options: ClusterDatabaseOptions,
  ensureTables: (database: ClusterDatabase) => Promise<void>,
): Promise<ClusterDatabase> {
  const database = await connectClusterDatabase(options);
  try {
    const [facts] = await database.ask<ServerFacts>(
      "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
    );
    if (facts !== undefined) ensureServer(database.shown, facts);
    await ensureTables(database);
    await database.compareClocks();
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

export function ensureServer(shown: string, { version, encoding }: ServerFacts): void {
  const major = Math.floor(Number(version) / 10_000);
  if (major < OLDEST_VERSION) {
    throw databaseRefusedError(shown, `it is PostgreSQL ${major}`, `Upgrade the server to ${OLDEST_VERSION} or newer.`);
  }
  if (encoding !== 'UTF8') {
    const remedy = "Make one that keeps every text: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.";
    throw databaseRefusedError(shown, `it is encoded in ${encoding}`, remedy);
  }
}
