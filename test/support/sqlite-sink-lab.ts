import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ExtensibleDatabase, openDatabase } from '../../src/io/sqlite/database.ts';
import { openSqliteSink } from '../../src/io/sqlite/sync-sink.ts';
import { loadVectorExtension } from '../../src/io/sqlite/sync-vectors.ts';
import type { Breakdown, SinkLab, Watch } from '../../src/sync/sink-lab.contract.ts';
import { breaking, type StepFault } from './breaking-database.ts';

const TEXTS =
  'SELECT heading || char(10) || markdown AS text FROM sections WHERE url = ? UNION ALL SELECT text FROM chunks WHERE url = ?';
const TABLES = ['pages', 'sections', 'chunks', 'chunk_vectors'];
const DISK_ERROR = 10;

export interface SqliteSinkLab extends SinkLab {
  readonly file: string;
}

/** An index in its own file. */
export async function openSqliteSinkLab(): Promise<SqliteSinkLab> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-sink-'));
  const file = join(folder, 'below', 'index.db');
  const fault: StepFault = { left: Number.POSITIVE_INFINITY, fired: 0 };
  const open: typeof openDatabase = async (name, options) =>
    breaking(await openDatabase(name, options), fault, DISK_ERROR);
  const reader = async () => {
    const database = await openDatabase(file, { readonly: true, allowExtension: true });
    await loadVectorExtension(database, file);
    return database;
  };
  return {
    file,
    open: async () => openSqliteSink({ file, busyTimeoutMs: 50, open }),
    isAtomic: true,
    read: async (url) =>
      await reading(reader, (database) => textsOf(database.prepare(TEXTS).all(url, url)).join('\n'), ''),
    watch: (url) => watchFile(file, url),
    dump: async () => await reading(reader, dumpOf, []),
    readVectors: async () => await reading(reader, vectorsIn, new Map()),
    breakdowns: { 'a lock of another process': () => lock(file) },
    async breakAt(step) {
      Object.assign(fault, { left: step, fired: 0 });
      const mend = async () => {
        fault.left = Number.POSITIVE_INFINITY;
      };
      return { fired: () => fault.fired, mend };
    },
    async plantForeign() {
      await mkdir(dirname(file));
      const database = await openDatabase(file);
      database.exec(
        "CREATE TABLE sections (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO sections VALUES (1, 'mine')",
      );
      database.close();
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function reading<T>(
  open: () => Promise<ExtensibleDatabase>,
  look: (database: ExtensibleDatabase) => T,
  none: T,
): Promise<T> {
  const database = await open().catch(() => undefined);
  if (database === undefined) return none;
  try {
    return look(database);
  } finally {
    database.close();
  }
}

function textsOf(rows: readonly unknown[]): string[] {
  return (rows as { readonly text: string }[]).map(({ text }) => text);
}

/** All rows, and SQLite's check of its full-text index. */
function dumpOf(database: ExtensibleDatabase): unknown[] {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  return TABLES.filter((table) => names.some(({ name }) => name === table)).map((table) => [
    table,
    database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  ]);
}

function vectorsIn(database: ExtensibleDatabase): Map<string, readonly number[]> {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'chunk_vectors'").get() === undefined)
    return new Map();
  const rows = database.prepare('SELECT chunk_id, embedding FROM chunk_vectors').all() as {
    readonly chunk_id: string;
    readonly embedding: Uint8Array;
  }[];
  return new Map(rows.map(({ chunk_id, embedding }) => [chunk_id, [...new Float32Array(embedding.slice().buffer)]]));
}

async function lock(file: string): Promise<Breakdown> {
  const database = await openDatabase(file);
  database.exec('BEGIN IMMEDIATE');
  return {
    // The lock is held during the whole breakdown, so every failure meanwhile met it.
    fired: () => 1,
    async mend() {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

/** Writing to SQLite blocks its thread, so only another thread can read meanwhile. */
async function watchFile(file: string, url: string): Promise<Watch> {
  const worker = new Worker(new URL('./sqlite-watch-worker.mjs', import.meta.url), {
    workerData: { file, url, sql: TEXTS },
  });
  const told = () => new Promise<unknown>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await told();
  return {
    async stop() {
      const readings = told();
      worker.postMessage('stop');
      const seen = (await readings) as string[];
      await worker.terminate();
      return seen;
    },
  };
}
