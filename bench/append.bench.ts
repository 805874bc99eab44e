import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/io/sqlite-database.ts';
import { openSqliteLog } from '../src/io/sqlite-log.ts';
import type { ChangeDraft } from '../src/model/change.ts';
import { type BenchResult, compare } from './harness.ts';

const BATCH = 1000;
/** Short turns, and many: both sides meet the same moods of the disk. */
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
 * Durable appends beside bare inserts of ready-made rows of the same size into the same SQLite, with the same settings: the peer
 * checks nothing, makes no ids and encodes nothing.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-append-'));
  const log = await openSqliteLog({ folder: join(folder, 'ours') });
  const database = await openDatabase(join(folder, 'peer.db'));
  database.exec('CREATE TABLE changes (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO changes (seq, id, body) VALUES (?, ?, ?)');
  const rows = (await log.append(drafts)).map(({ seq: _, id, ...body }) => ({ id, body: JSON.stringify(body) }));
  let seq = 0;
  const insertRows = (count: number) => {
    database.exec('BEGIN IMMEDIATE');
    for (const { id, body } of rows.slice(0, count)) {
      seq += 1;
      insert.run(seq, id, body);
    }
    database.exec('COMMIT');
  };

  const batched = await compare({
    name: 'append-batched',
    unit: 'change',
    by: 'wall',
    peerName: 'bare inserts',
    goal: { atLeast: 0.5 },
    rounds: ROUNDS,
    ours: async () => {
      for (let batch = 0; batch < BATCHES; batch += 1) await log.append(drafts);
      return BATCH * BATCHES;
    },
    peer: () => {
      for (let batch = 0; batch < BATCHES; batch += 1) insertRows(BATCH);
      return BATCH * BATCHES;
    },
  });
  const single = await compare({
    name: 'append-single',
    unit: 'change',
    by: 'wall',
    peerName: 'bare inserts',
    goal: { atLeast: 0.5 },
    rounds: ROUNDS,
    ours: async () => {
      for (let index = 0; index < SINGLES; index += 1) await log.append(drafts.slice(0, 1));
      return SINGLES;
    },
    peer: () => {
      for (let index = 0; index < SINGLES; index += 1) insertRows(1);
      return SINGLES;
    },
  });
  await log.close();
  database.close();
  await rm(folder, { recursive: true });
  return [batched, single];
}
