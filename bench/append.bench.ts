import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/io/sqlite/database.ts';
import { openSqliteLog } from '../src/io/sqlite/log.ts';
import type { ChangeDraft } from '../src/model/change.ts';
import { type BenchResult, type Comparison, compare } from './harness.ts';

const BATCH = 1000;
/** Many short turns, so that both sides see the same state of the disk. */
const BATCHES = 2;
const SINGLES = 20;
const ROUNDS = 60;

const drafts: ChangeDraft[] = Array.from({ length: BATCH }, (_, index) => ({
  source: 'docs',
  action: 'update',
  url: `https://docs.example/guide/page-${index}`,
  anchor: 'install',
  checksum: `sha256:${'5'.repeat(64)}`,
  title: 'Install',
  provenance: { by: 'compare', extractor: '1', pageChecksum: `sha256:${'7'.repeat(64)}` },
}));

/**
 * Durable appends compared with bare inserts of the same records into the same SQLite with the same settings.
 *
 * The peer encodes each record as JSON and inserts it. It checks nothing and has its ids ready. The third row is stricter and for information only: there the
 * peer also has the JSON ready.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-append-'));
  const log = await openSqliteLog({ folder: join(folder, 'ours') });
  const rows = (await log.append(drafts)).map(({ seq: _, id, ...record }) => ({ id, body: JSON.stringify(record) }));
  const records = rows.map(({ id, body }) => ({ id, record: JSON.parse(body) as unknown }));
  const peer = await openPeer(join(folder, 'peer.db'));

  const batched = {
    unit: 'change',
    by: 'wall',
    rounds: ROUNDS,
    ours: () => times(BATCHES, BATCH, () => log.append(drafts)),
  } satisfies Partial<Comparison>;
  const results = [
    await compare({
      ...batched,
      name: 'append-batched',
      peerName: 'bare inserts',
      goal: { atLeast: 0.5 },
      peer: () =>
        times(BATCHES, BATCH, () =>
          peer.transaction((insert) => {
            for (const { id, record } of records) insert(id, JSON.stringify(record));
          }),
        ),
    }),
    await compare({
      ...batched,
      name: 'append-single',
      peerName: 'bare inserts',
      goal: { atLeast: 0.5 },
      ours: () => times(SINGLES, 1, () => log.append(drafts.slice(0, 1))),
      peer: () =>
        times(SINGLES, 1, () =>
          peer.transaction((insert) => {
            for (const { id, record } of records.slice(0, 1)) insert(id, JSON.stringify(record));
          }),
        ),
    }),
    await compare({
      ...batched,
      name: 'append-batched-ready-rows',
      peerName: 'bare inserts of ready rows',
      peer: () =>
        times(BATCHES, BATCH, () =>
          peer.transaction((insert) => {
            for (const { id, body } of rows) insert(id, body);
          }),
        ),
    }),
  ];
  await log.close();
  peer.close();
  await rm(folder, { recursive: true });
  return results;
}

interface Peer {
  transaction(work: (insert: (id: string, body: string) => void) => void): void;
  close(): void;
}

async function openPeer(file: string): Promise<Peer> {
  const database = await openDatabase(file);
  database.exec('CREATE TABLE changes (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT');
  const statement = database.prepare('INSERT INTO changes (seq, id, body) VALUES (?, ?, ?)');
  let seq = 0;
  return {
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      work((id, body) => {
        seq += 1;
        statement.run(seq, id, body);
      });
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}

async function times(count: number, operations: number, work: () => unknown): Promise<number> {
  for (let turn = 0; turn < count; turn += 1) await work();
  return count * operations;
}
