import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectPostgres, type PostgresSession } from '../../src/io/postgres/postgres-session.ts';
import { openPostgresSink, type PostgresSink, type PostgresSinkOptions } from '../../src/io/postgres/sync-sink.ts';
import { type Breakdown, type SinkLab, watchBy } from '../../src/sync/sink-lab.contract.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

export interface PostgresSinkLab extends SinkLab {
  readonly url: string;
  readonly schema: string;
  readonly client: pg.Client;
  openWith(options: Partial<PostgresSinkOptions>): PostgresSink;
  /** From now on nothing is answered. */
  stall(): Breakdown;
}

const TABLES = ['pages', 'sections', 'chunks', 'chunk_vectors'];

/** An index in a separate schema, reached through a proxy that can be cut. */
export async function openPostgresSinkLab(server: string, hasVectors: boolean): Promise<PostgresSinkLab> {
  const schema = `lab "${randomBytes(6).toString('hex')}"`;
  const place = `"${schema.replaceAll('"', '""')}"`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { hostname, port } = new URL(server);
  const proxy = await startCuttingProxy({ host: hostname, port: Number(port) });
  const url = new URL(server);
  url.port = String(proxy.port);
  url.searchParams.set('schema', schema);
  const connectionString = server.replace(`:${port}/`, `:${proxy.port}/`);
  const fault = { left: Number.POSITIVE_INFINITY, fired: 0 };
  const connect = async () => breaking(await connectPostgres('the lab', { connectionString }), fault);
  const has = async (table: string) =>
    (await client.query('SELECT to_regclass($1) AS found', [`${place}.${table}`])).rows[0]?.found !== null;
  const read = async (page: string) => {
    if (!(await has('chunks'))) return '';
    const sql = `SELECT heading || chr(10) || markdown AS text FROM ${place}.sections WHERE url = $1 UNION ALL SELECT text FROM ${place}.chunks WHERE url = $1`;
    return (await client.query<{ text: string }>(sql, [page])).rows.map(({ text }) => text).join('\n');
  };
  const openWith = (options: Partial<PostgresSinkOptions>) =>
    openPostgresSink({ url: url.href, wait: async () => {}, ...options });
  const cut = (when: 'before' | 'behind') => async (): Promise<Breakdown> => {
    proxy.cutAt('COMMIT', when);
    return { fired: () => proxy.fired(), mend: async () => proxy.mend() };
  };
  return {
    url: url.href,
    schema: place,
    client,
    openWith,
    stall() {
      proxy.stall();
      return { fired: () => proxy.fired(), mend: async () => proxy.mend() };
    },
    open: async () => openWith({ connect }),
    isAtomic: true,
    read,
    watch: async (page) => watchBy(() => read(page)),
    async dump() {
      const rows: unknown[] = [];
      for (const table of TABLES) {
        if (!(await has(table))) continue;
        const columns = table === 'chunk_vectors' ? 'chunk_id, embedding::text' : '*';
        rows.push([
          table,
          (await client.query(`SELECT ${columns}, xmin::text FROM ${place}.${table} ORDER BY 1, 2`)).rows,
        ]);
      }
      return rows;
    },
    ...(hasVectors && {
      async readVectors() {
        if (!(await has('chunk_vectors'))) return new Map();
        const { rows } = await client.query<{ id: string; vector: string }>(
          `SELECT chunk_id AS id, embedding::text AS vector FROM ${place}.chunk_vectors`,
        );
        return new Map(rows.map(({ id, vector }) => [id, JSON.parse(vector).map(Math.fround) as number[]]));
      },
    }),
    breakdowns: { 'a cut before the end of the transaction': cut('before'), 'a cut behind it': cut('behind') },
    async breakAt(step) {
      Object.assign(fault, { left: step, fired: 0 });
      const mend = async () => {
        fault.left = Number.POSITIVE_INFINITY;
      };
      return { fired: () => fault.fired, mend };
    },
    async plantForeign() {
      await client.query(`CREATE SCHEMA ${place}; CREATE TABLE ${place}.sections (id integer, body text)`);
      await client.query(`INSERT INTO ${place}.sections VALUES (1, 'mine')`);
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await client.query(`DROP SCHEMA IF EXISTS ${place} CASCADE`);
      await client.end();
    },
  };
}

/** A session that is lost at a step, and at every later one. */
function breaking(session: PostgresSession, fault: { left: number; fired: number }): PostgresSession {
  return {
    async query(text, values) {
      fault.left -= 1;
      if (fault.left > 0) return await session.query(text, values);
      fault.fired += 1;
      throw new Error('Connection terminated unexpectedly');
    },
    end: () => session.end(),
  };
}
