import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { JournalWrite } from '../src/hub/cluster/journal.ts';
import { PostgresJournal } from '../src/io/postgres/cluster/journal.ts';
import { openClusterDatabase } from '../src/io/postgres/cluster/open-cluster-database.ts';
import type { ChangeDraft } from '../src/model/change.ts';
import { findPostgres, startPostgres } from '../test/support/postgres-server.ts';
import { type BenchResult, type Comparison, compare } from './harness.ts';

const ROUNDS = 15;
/** Visits of one process that end at the same time. */
const TOGETHER = 32;
/** The maximum number of writes that the journal puts into one transaction. */
const GROUP = 64;
const PROCESSES = 4;

const draft: ChangeDraft = {
  source: 'docs',
  action: 'update',
  url: 'https://docs.example/guide/page',
  anchor: 'install',
  checksum: `sha256:${'5'.repeat(64)}`,
  title: 'Install',
  provenance: { by: 'compare', extractor: '1', pageChecksum: `sha256:${'7'.repeat(64)}` },
};
const WRITE: JournalWrite = { kind: 'visit', body: Buffer.alloc(2000, 7), drafts: [draft] };

/**
 * Durable appends to the journal compared with bare inserts of the same bytes under the same lock: the peer takes the next number from one row that it updates
 * in its transaction, inserts a write and a change, and commits. It checks nothing, places nothing and notifies nobody.
 *
 * `cluster-append-single`: one after another. `cluster-append-together`: 32 visits of one process end at once; the peer, which has no groups, has 4
 * connections. `cluster-append-grouped`: the same with a peer that stores 64 per transaction, like the journal. `cluster-append-processes`: 4 processes, each
 * one after another.
 */
export async function bench(): Promise<BenchResult[]> {
  const bin = findPostgres();
  if (bin === undefined) {
    process.stdout.write('cluster: skipped, no PostgreSQL on this machine\n');
    return [];
  }
  await using server = await startPostgres(bin, { settings: ['fsync=on', 'shared_buffers=128MB'] });
  const databases = await Promise.all(
    Array.from({ length: PROCESSES }, () => openClusterDatabase({ url: server.url, maxConnections: 4 })),
  );
  const journals = databases.map((database) => new PostgresJournal(database));
  const peers = await openPeers(server.url);
  const [journal] = journals;
  const [peer] = peers;
  if (journal === undefined || peer === undefined) throw new Error('There is nobody to append.');
  const rows = { unit: 'append', by: 'wall', rounds: ROUNDS, peerName: 'bare inserts' } satisfies Partial<Comparison>;
  const results = [
    await compare({
      ...rows,
      name: 'cluster-append-single',
      goal: { atLeast: 0.5 },
      ours: async () => await inTurn(20, () => journal.append([WRITE])),
      peer: async () => await inTurn(20, () => peer.append()),
    }),
    await compare({
      ...rows,
      name: 'cluster-append-together',
      goal: { atLeast: 0.5 },
      ours: async () => await atOnce(TOGETHER * 4, () => journal.append([WRITE])),
      peer: async () => await atOnceOver(peers, TOGETHER, (each) => each.append()),
    }),
    await compare({
      ...rows,
      name: 'cluster-append-grouped',
      peerName: 'bare inserts, as many in a transaction',
      goal: { atLeast: 0.5 },
      ours: async () => await atOnce(GROUP * 4, () => journal.append([WRITE])),
      peer: async () => (await inTurn(4, () => peer.appendAll(GROUP))) * GROUP,
    }),
    await compare({
      ...rows,
      name: 'cluster-append-processes',
      goal: { atLeast: 0.5 },
      ours: async () => await atOnceOver(journals, 20, (each) => each.append([WRITE])),
      peer: async () => await atOnceOver(peers, 20, (each) => each.append()),
    }),
  ];
  for (const each of [...journals, ...databases, ...peers]) await each[Symbol.asyncDispose]();
  return results;
}

class Peer implements AsyncDisposable {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async append(): Promise<void> {
    await this.appendAll(1);
  }

  async appendAll(count: number): Promise<void> {
    await this.#client.query('BEGIN');
    const counted = 'UPDATE bare.head SET seq = seq + $1 RETURNING seq::float8';
    const { rows } = await this.#client.query<{ seq: number }>(counted, [count]);
    const last = rows[0]?.seq ?? 0;
    const seqs = Array.from({ length: count }, (_, index) => last - index);
    const insert = 'SELECT * FROM unnest($1::bigint[], $2::text[], ';
    await this.#client.query(`INSERT INTO bare.writes ${insert} $3::bytea[])`, [
      seqs,
      seqs.map(() => WRITE.kind),
      seqs.map(() => WRITE.body),
    ]);
    await this.#client.query(`INSERT INTO bare.changes ${insert} $3::text[])`, [
      seqs,
      seqs.map(() => randomBytes(13).toString('hex')),
      seqs.map(() => JSON.stringify(draft)),
    ]);
    await this.#client.query('COMMIT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

async function openPeers(url: string): Promise<Peer[]> {
  const clients = Array.from({ length: PROCESSES }, () => new pg.Client({ connectionString: url }));
  for (const client of clients) await client.connect();
  await clients[0]?.query(`
    CREATE SCHEMA bare;
    CREATE TABLE bare.head (seq bigint NOT NULL) WITH (fillfactor = 10);
    INSERT INTO bare.head VALUES (0);
    CREATE TABLE bare.writes (rev bigint PRIMARY KEY, kind text NOT NULL, body bytea NOT NULL);
    CREATE TABLE bare.changes (seq bigint PRIMARY KEY, id text NOT NULL, body text NOT NULL)
  `);
  return clients.map((client) => new Peer(client));
}

async function inTurn(count: number, work: () => Promise<unknown>): Promise<number> {
  for (let turn = 0; turn < count; turn += 1) await work();
  return count;
}

async function atOnce(count: number, work: () => Promise<unknown>): Promise<number> {
  await Promise.all(Array.from({ length: count }, work));
  return count;
}

async function atOnceOver<T>(all: readonly T[], count: number, work: (each: T) => Promise<unknown>): Promise<number> {
  const counts = await Promise.all(all.map(async (each) => await inTurn(count, () => work(each))));
  return counts.reduce((sum, each) => sum + each, 0);
}
