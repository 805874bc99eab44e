import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { proveInclusion } from '../src/codecs/tlog/tree-proofs.ts';
import type { Dialect } from '../src/dialects/dialect.ts';
import { DIALECTS } from '../src/dialects/registry.ts';
import type { ShelfWorld } from '../src/dialects/shelf.ts';
import { storedTile } from '../src/dialects/tlog/shelf/store-tiles.ts';
import { TLOG_PLACE, type TlogStore } from '../src/dialects/tlog/shelf/tlog-store.ts';
import { TLOG } from '../src/dialects/tlog/tlog.ts';
import { shelfStorage } from '../src/doors/shelf-storage.ts';
import { openHubShelves } from '../src/hub/shelves/hub-shelves.ts';
import { wait } from '../src/io/node/timer-wait.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../src/io/sqlite/log.ts';
import { gzipDocument } from '../src/io/zlib/document.ts';
import type { ChangeDraft } from '../src/model/change.ts';
import { sha256 } from '../src/tlog/sha256.ts';
import { type BenchResult, compare, type FigureResult } from './harness.ts';

const RUN = 20;
const RUNS = 15;
const CATCH_UP = 200_000;
const PROOFS = 2000;
const LOAD_MS = 15_000;
const MOST_BLOCK_MS = 50;
const MOST_BYTES = 700;
const MOST_AGE_MS = 5000;

/**
 * The provable log of a hub: the cost of appending with it compared with appending without it (all other feeds are made in both), how long a proof takes, how
 * old the checkpoint is under load, and how long a catch-up blocks others. `npm run bench -- tlog 20000` for a shorter run.
 */
export async function bench([size]: readonly string[] = []): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-tlog-'));
  try {
    return [
      await appends(folder),
      await age(join(folder, 'load')),
      ...(await catchUp(join(folder, 'catch-up'), Number(size ?? CATCH_UP))),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function appends(folder: string): Promise<BenchResult> {
  await using ours = await openHub(join(folder, 'ours'), DIALECTS);
  await using peer = await openHub(
    join(folder, 'peer'),
    DIALECTS.filter((each) => each !== TLOG),
  );
  const commit = (hub: typeof ours) => async () => {
    for (let run = 0; run < RUNS; run += 1) await hub.commit(drafts(run, RUN));
    return RUN * RUNS;
  };
  return await compare({
    ...{ name: 'tlog-append', unit: 'change', by: 'wall', rounds: 15, peerName: 'without the provable log' },
    goal: { atLeast: 0.8 },
    ours: commit(ours),
    peer: commit(peer),
  });
}

/** How long a change waits until a checkpoint covers it, while changes keep coming. */
async function age(folder: string): Promise<FigureResult> {
  await using hub = await openHub(folder, DIALECTS);
  const ages: number[] = [];
  const waiting: { readonly seq: number; readonly atMs: number }[] = [];
  const look = () => {
    const record = hub.tlog.logs().at(-1);
    const signed = Number(record?.checkpoint?.split('\n')[1] ?? 0);
    while (waiting[0] !== undefined && (hub.tlog.place(waiting[0].seq)?.entry ?? signed) < signed) {
      ages.push(Date.now() - (waiting.shift()?.atMs ?? 0));
    }
  };
  const endMs = Date.now() + LOAD_MS;
  for (let run = 0; Date.now() < endMs || waiting.length > 0; run += 1) {
    if (Date.now() < endMs) {
      const changes = await hub.commit(drafts(run, RUN));
      waiting.push({ seq: changes.at(-1)?.seq ?? 0, atMs: Date.now() });
    } else await wait(20, NEVER);
    look();
  }
  const ours = { 'p50 ms': Math.round(quantile(ages, 0.5)), 'p99 ms': Math.round(quantile(ages, 0.99)) };
  const goal = `p99 ≤ ${MOST_AGE_MS} ms`;
  return {
    name: 'tlog-checkpoint-age',
    by: 'figures',
    ours,
    peer: {},
    peerName: 'none',
    goal,
    reached: ours['p99 ms'] <= MOST_AGE_MS,
  };
}

/** A hub that had no provable shelf for this many changes; then proofs from its new log. */
async function catchUp(folder: string, size: number): Promise<FigureResult[]> {
  {
    await using hub = await openHub(folder, [TLOG]);
    await hub.commit(drafts(0, 1));
  }
  {
    await using hub = await openHub(folder, []);
    for (let done = 0; done < size; done += 1000) await hub.commit(drafts(done, Math.min(1000, size - done)));
  }
  const before = await bytesOf(folder);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  await using hub = await openHub(folder, [TLOG]);
  const seconds = (performance.now() - startMs) / 1000;
  delay.disable();
  const bytes = Math.round(((await bytesOf(folder)) - before) / size);
  const blockMs = Math.round(delay.max / 1e6);
  const proofs = proofTimes(hub.tlog);
  const result = (name: string, ours: FigureResult['ours'], goal: string, reached: boolean): FigureResult => {
    return { name, by: 'figures', ours, peer: {}, peerName: 'none', goal, reached };
  };
  return [
    result(
      'tlog-catch-up',
      {
        changes: size,
        'changes a second': Math.round(size / seconds),
        'longest block ms': blockMs,
        'bytes a change': bytes,
      },
      `no block over ${MOST_BLOCK_MS} ms, ≤ ${MOST_BYTES} bytes a change`,
      blockMs <= MOST_BLOCK_MS && bytes <= MOST_BYTES,
    ),
    result(
      'tlog-proof',
      { 'p50 ms': round(quantile(proofs, 0.5)), 'p99 ms': round(quantile(proofs, 0.99)) },
      'informs',
      true,
    ),
  ];
}

function proofTimes(store: TlogStore): readonly number[] {
  const { log = 1, size = 0 } = store.logs().at(-1) ?? {};
  return Array.from({ length: PROOFS }, (_, at) => {
    const startMs = performance.now();
    const tiles = new Map<string, Uint8Array>();
    const hashAt = (level: number, index: number) => {
      const tile = Math.floor(index / 256);
      const key = `${level}/${tile}`;
      const width = Math.min(256, Math.floor(size / 256 ** level) - tile * 256);
      const bytes = tiles.get(key) ?? storedTile(store, log, { level, index: tile, width })?.bytes ?? new Uint8Array();
      tiles.set(key, bytes);
      return bytes.subarray((index % 256) * 32, (index % 256) * 32 + 32);
    };
    proveInclusion((at * 7919) % size, size, { hashAt, sha256 });
    return performance.now() - startMs;
  });
}

const NEVER = new AbortController().signal;

async function openHub(folder: string, dialects: readonly Dialect[]) {
  const store = await openSqliteHubStore({ folder });
  const storage = shelfStorage({ data: folder }, store, { error() {} });
  const shelves = await openHubShelves(dialects, worldOf(store, storage));
  store.onChanges((changes) => void shelves.add(changes));
  const place = TLOG_PLACE.open(storage);
  if (place === undefined) throw new Error('There is no place for the provable log.');
  return {
    tlog: place.store,
    async commit(made: readonly ChangeDraft[]) {
      const changes = await store.commit({ source: made[0]?.source ?? '', drafts: made });
      await shelves.add([]);
      return changes;
    },
    async [Symbol.asyncDispose]() {
      await shelves[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

function worldOf(store: SqliteHubStore, storage: ShelfWorld['storage']): ShelfWorld {
  return {
    readChanges: (after) => store.changes({ after }),
    logStart: () => store.logStart(),
    sources: () => [],
    sourceOf: () => undefined,
    baseUrl: () => 'https://hub.example/',
    root: '/',
    settings: { extensions: {} },
    storage,
    now: Date.now,
    wait,
    gzip: gzipDocument,
  };
}

function drafts(run: number, count: number): readonly ChangeDraft[] {
  const source = `source_${run % 50}`;
  return Array.from({ length: count }, (_, at) => ({
    source,
    action: 'update',
    url: `https://docs.example/guide/${run}/page-${at}`,
    anchor: 'install',
    checksum: `sha256:${Buffer.from(sha256(Buffer.from(`${run} ${at}`))).toString('hex')}`,
    title: 'Install',
    heading: 'Install the package',
    before: `Version ${run} of the package needs Node 18.`,
    excerpt: `Version ${run + 1} of the package needs Node 20.`,
    provenance: { by: 'compare', extractor: '1' },
  }));
}

async function bytesOf(folder: string): Promise<number> {
  const files = await Promise.all(
    [DATABASE_FILE, `${DATABASE_FILE}-wal`].map((name) => stat(join(folder, name)).catch(() => ({ size: 0 }))),
  );
  return files.reduce((bytes, { size }) => bytes + size, 0);
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
