import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { auditLog } from '../src/audit/audit-log.ts';
import { compareHeads } from '../src/audit/compare-heads.ts';
import { encodeEntry } from '../src/codecs/tlog/encode-entry.ts';
import type { LogEntry } from '../src/codecs/tlog/entry.ts';
import { decodeEntryBundle } from '../src/codecs/tlog/entry-bundle.ts';
import { signCheckpoint } from '../src/codecs/tlog/sign-checkpoint.ts';
import { encodeTilePath } from '../src/codecs/tlog/tile-path.ts';
import { newBundles } from '../src/codecs/tlog/tiles-of-size.ts';
import { encodeVerifierKey, makeVerifierKey } from '../src/codecs/tlog/verifier-key.ts';
import type { TreeHead } from '../src/codecs/tlog/verify-proof.ts';
import type { DocumentSource } from '../src/dialects/document-source.ts';
import { createSigner, publicKeyOfSeed } from '../src/surface/ed25519.ts';
import { EMPTY_EDGE, growTree, type TreeEdge } from '../src/tlog/grow-tree.ts';
import { sha256 } from '../src/tlog/sha256.ts';
import type { TileSource } from '../src/tlog/tile-source.ts';
import { type BenchResult, type Cost, judgeCosts } from './harness.ts';

const ENTRIES = 1_000_000;
/** A month old, at a thousand changes a day. */
const OLDER = 30_000;
const GOAL = { requests: 50, cpuSeconds: 0.2 };
const ORIGIN = 'bench.example/.well-known/tidings';
/** For a bench only: it protects nothing. */
const SEED = new Uint8Array(32).fill(3);

/**
 * A log of 1,000,000 entries: is a month-old checkpoint a prefix of it, and what does a full audit cost compared with hashing alone?
 * `npm run bench -- tlog-audit 1000000 consistency` skips the second.
 */
export async function bench([count, part]: readonly string[]): Promise<BenchResult[]> {
  const size = count === undefined ? ENTRIES : Number(count);
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-tlog-'));
  try {
    const heads = writeLog(folder, size);
    const prefix = await consistency(folder, heads);
    return part === 'consistency' ? [prefix] : [prefix, await fullAudit(folder, size)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Heads {
  readonly held: TreeHead;
  readonly served: TreeHead;
}

async function consistency(folder: string, heads: Heads): Promise<BenchResult> {
  const tiles = tilesIn(folder);
  const before = process.cpuUsage();
  const course = await compareHeads(tiles, heads);
  const { user, system } = process.cpuUsage(before);
  if (course.is !== 'grown') throw new Error(`The log is said to be ${course.is}.`);
  const cpuSeconds = (user + system) / 1e6;
  return {
    name: 'tlog-audit-consistency',
    by: 'figures',
    ours: { requests: tiles.count(), 'CPU seconds': Number(cpuSeconds.toFixed(4)) },
    peer: { requests: GOAL.requests, 'CPU seconds': GOAL.cpuSeconds },
    peerName: 'the goal',
    goal: `≤ ${GOAL.requests} requests, ≤ ${GOAL.cpuSeconds} s`,
    reached: tiles.count() <= GOAL.requests && cpuSeconds <= GOAL.cpuSeconds,
  };
}

/** Compared with one hash for each entry and one for each node, over the same files. */
async function fullAudit(folder: string, size: number): Promise<BenchResult> {
  const peer = await costOf(size, () => hashAlone(folder, size));
  const asked = new Map<string, number>();
  const ours = await costOf(size, async () => {
    const { report } = await auditLog(
      { source: siteIn(folder, asked), dialects: [] },
      { wait: async () => {}, onStatus: () => {} },
    );
    if (!report.ok || report.size !== size) throw new Error(JSON.stringify(report.findings.slice(0, 3)));
  });
  const bundles = [...asked].filter(([path]) => path.includes('/tile/entries/'));
  if (bundles.some(([, times]) => times !== 1)) throw new Error('A bundle was read twice.');
  const name = 'tlog-audit-full';
  return judgeCosts({ name, unit: 'entry', by: 'cpu', peerName: 'hashing the same bytes' }, { ours, peer });
}

function hashAlone(folder: string, size: number): void {
  const node = Buffer.alloc(65, 1);
  for (const bundle of newBundles(0, size)) {
    const entries = decodeEntryBundle(readFileSync(join(folder, PREFIX, encodeTilePath(bundle))), bundle.width);
    if (!entries.ok) throw new Error(entries.issues[0].message);
    for (const entry of entries.value) {
      hash('sha256', Buffer.concat([Buffer.of(0), entry]), 'buffer');
      hash('sha256', node, 'buffer');
    }
  }
}

async function costOf(operations: number, work: () => void | Promise<void>): Promise<Cost> {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuUs: (user + system) / operations, wallUs: ((performance.now() - start) * 1000) / operations };
}

const PREFIX = '.well-known/tidings';

function writeLog(folder: string, size: number): Heads {
  const key = makeVerifierKey({ name: ORIGIN, use: 'log', publicKey: publicKeyOfSeed(SEED) }, sha256);
  const write = (path: string, bytes: Uint8Array | string) => {
    const file = join(folder, PREFIX, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  };
  let edge: TreeEdge = EMPTY_EDGE;
  let held: TreeHead = { treeSize: 0, rootHash: new Uint8Array() };
  let served = held;
  const grow = (to: number) => {
    const added = Array.from({ length: to - edge.size }, (_, at) => encodeEntry(entryAt(edge.size + at), sha256));
    const grown = growTree(edge, added, sha256);
    for (const tile of grown.tiles)
      if (tile.width === 256 || to >= size - OLDER) write(encodeTilePath(tile), tile.bytes);
    edge = grown.edge;
    served = { treeSize: to, rootHash: grown.root };
  };
  for (let to = 25_600; to < size - OLDER; to += 25_600) grow(to);
  grow(size - OLDER);
  held = served;
  grow(size);
  write('checkpoint', signCheckpoint({ origin: ORIGIN, ...served }, key, createSigner(SEED)));
  write('vkey', `${encodeVerifierKey(key)}\n`);
  return { held, served };
}

function entryAt(index: number): LogEntry {
  const time = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
  if (index === 0) {
    const earlier = `sha256:${hash('sha256', '', 'hex')}`;
    return { v: 1, type: 'begin', origin: ORIGIN, time, format: 'tidings-log@v1', count: 0, earlier };
  }
  const url = `https://docs.example/guide/page-${index % 5000}`;
  const checksum = `sha256:${hash('sha256', `${index}`, 'hex')}`;
  const id = `01ARZ3NDEKTSV4RRFF${String(index).padStart(8, '0')}`;
  const hashed = { title: checksum };
  return {
    v: 1,
    type: 'change',
    id,
    seq: index,
    source: 'docs',
    kind: 'page',
    action: 'update',
    url,
    time,
    checksum,
    provenance: { by: 'compare' },
    hashed,
  };
}

function tilesIn(folder: string): TileSource & { count(): number } {
  let requests = 0;
  return {
    name: folder,
    count: () => requests,
    async read(path) {
      requests += 1;
      try {
        return readFileSync(join(folder, PREFIX, path));
      } catch {
        return undefined;
      }
    },
  };
}

function siteIn(folder: string, asked: Map<string, number>): DocumentSource {
  return {
    name: folder,
    live: false,
    async read(address) {
      asked.set(address, (asked.get(address) ?? 0) + 1);
      const where = folder + address;
      try {
        return { kind: 'answered', where, status: 200, headers: undefined, bytes: readFileSync(join(folder, address)) };
      } catch {
        return { kind: 'answered', where, status: 404, headers: undefined, bytes: new Uint8Array() };
      }
    },
  };
}
