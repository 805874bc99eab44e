import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { JournalPlace } from '../../src/hub/cluster/journal.contract.ts';
import type { ClusterDatabase, ClusterDatabaseOptions } from '../../src/io/postgres/cluster/cluster-database.ts';
import { PostgresJournal } from '../../src/io/postgres/cluster/journal.ts';
import { openClusterDatabase } from '../../src/io/postgres/cluster/open-cluster-database.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

/** A separate schema on a real server. */
export interface ClusterLab extends JournalPlace {
  readonly url: string;
  /** As a prefix of table names. */
  readonly schema: string;
  /** A separate connection to the server. */
  readonly client: pg.Client;
  openDatabase(options?: Partial<ClusterDatabaseOptions>): Promise<ClusterDatabase>;
  /** All databases opened after this go through the proxy. */
  cutOff(): Promise<CuttingProxy>;
}

/** Sources and roles are given by hand, to a holder that keeps them for an hour. */
const GIVE: Readonly<Record<string, (schema: string) => string>> = {
  source: (schema) =>
    `UPDATE ${schema}.sources SET holder = 'lab', until = now() + interval '1 hour', token = nextval('${schema}.tokens')
     WHERE id = $1 RETURNING token::float8`,
  role: (schema) =>
    `INSERT INTO ${schema}.roles VALUES ($1, 'lab', nextval('${schema}.tokens'), now() + interval '1 hour')
     ON CONFLICT (name) DO UPDATE SET token = excluded.token RETURNING token::float8`,
};

export async function openClusterLab(server: string): Promise<ClusterLab> {
  const schemaName = `lab "${randomBytes(6).toString('hex')}"`;
  const schema = `"${schemaName.replaceAll('"', '""')}"`;
  const url = new URL(server);
  url.searchParams.set('schema', schemaName);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const opened: AsyncDisposable[] = [];
  const openDatabase = async (options: Partial<ClusterDatabaseOptions> = {}) => {
    const database = await openClusterDatabase({ url: url.href, ...options });
    opened.push(database);
    return database;
  };
  return {
    url: url.href,
    schema,
    client,
    openDatabase,
    open: async () => new PostgresJournal(await openDatabase()),
    async give(task) {
      const [kind = '', name] = task.split(':');
      const { rows } = await client.query<{ token: number }>(GIVE[kind]?.(schema) ?? '', [name]);
      if (rows[0] === undefined) throw new Error(`There is no ${task}.`);
      return rows[0].token;
    },
    async cutOff() {
      const proxy = await startCuttingProxy({ host: url.hostname, port: Number(url.port) });
      url.port = String(proxy.port);
      opened.unshift(proxy);
      return proxy;
    },
    async [Symbol.asyncDispose]() {
      for (const each of opened.reverse()) await each[Symbol.asyncDispose]();
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
  };
}
