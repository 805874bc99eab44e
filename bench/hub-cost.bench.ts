/**
 * What a hub costs: `npm run bench -- hub-cost`, with other sizes `npm run bench -- hub-cost catchup=200000 log=1000000 sources=10000`.
 * Each part can be left out with a 0.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchResult, FigureResult } from './harness.ts';
import { catchUp } from './hub-cost-catch-up.ts';
import { latencies } from './hub-cost-latency.ts';
import { quietPolls } from './hub-cost-polls.ts';

const SIZES = { changes: 2000, catchup: 50_000, log: 50_000, sources: 1000, seconds: 60 };
type Sizes = typeof SIZES;

/** As `docs/operations.md` promises it. */
const GOAL_BYTES = 3000;
const GOAL_BLOCK_MS = 50;
const GOAL_STOP_MS = 10_000;
const GOAL_POLL_BYTES = 2000;
const SOURCES = 100;

export async function bench(): Promise<BenchResult[]> {
  const sizes = { ...SIZES, ...givenSizes() };
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-cost-'));
  const results: FigureResult[] = [];
  try {
    if (sizes.changes > 0) results.push(await storage(join(folder, 'storage'), sizes));
    if (sizes.catchup > 0) results.push(await lag(join(folder, 'lag'), sizes));
    if (sizes.log > 0) results.push(await routes(join(folder, 'routes'), sizes));
    if (sizes.sources > 0) results.push(await polls(join(folder, 'polls'), sizes));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

async function storage(folder: string, { changes }: Sizes): Promise<FigureResult> {
  const figures = await child('store', folder, SOURCES, changes);
  const { bytesPerChange, cpuUsPerChange, parts } = figures as unknown as {
    readonly bytesPerChange: number;
    readonly cpuUsPerChange: number;
    readonly parts: Readonly<Record<string, number>>;
  };
  return {
    ...rowOf('storage'),
    ours: { bytesPerChange, cpuUsPerChange },
    peer: parts,
    peerName: 'of which, bytes',
    goal: `≤ ${GOAL_BYTES} bytes`,
    reached: bytesPerChange <= GOAL_BYTES,
  };
}

async function lag(folder: string, { catchup }: Sizes): Promise<FigureResult> {
  await mkdir(folder);
  await child('fill', join(folder, 'data'), SOURCES, catchup, Math.floor(catchup / 2));
  const ours = await catchUp(folder);
  return {
    ...rowOf('catch-up'),
    ours: { changes: catchup, ...ours },
    peer: { blockCpuMs: GOAL_BLOCK_MS, stopMs: GOAL_STOP_MS },
    peerName: 'goal',
    goal: `no block over ${GOAL_BLOCK_MS} ms, ends within ${GOAL_STOP_MS} ms`,
    reached: ours.blockCpuMs <= GOAL_BLOCK_MS && Math.max(ours.stopStartingMs, ours.stopRunningMs) <= GOAL_STOP_MS,
  };
}

async function routes(folder: string, { log }: Sizes): Promise<FigureResult> {
  await mkdir(folder);
  await child('fill', join(folder, 'data'), SOURCES, log, 0);
  const { ours, peer } = await latencies(folder, log);
  return { ...rowOf('routes'), ours, peer, peerName: 'at its end, ms', goal: 'none', reached: true };
}

async function polls(folder: string, { sources, seconds }: Sizes): Promise<FigureResult> {
  await mkdir(folder);
  const ours = await quietPolls(folder, { sources, seconds });
  return {
    ...rowOf('polls'),
    ours,
    peer: { bytesPerPoll: GOAL_POLL_BYTES },
    peerName: 'goal',
    goal: `≤ ${GOAL_POLL_BYTES} bytes a poll`,
    reached: ours.bytesPerPoll <= GOAL_POLL_BYTES,
  };
}

function rowOf(part: string): { readonly name: string; readonly by: 'figures' } {
  return { name: `hub-cost-${part}`, by: 'figures' };
}

async function child(...args: readonly (string | number)[]): Promise<Readonly<Record<string, unknown>>> {
  const script = join('bench', 'hub-cost-child.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args.map(String)]);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

/** `sources=10000` on the command line, behind the name of the bench. */
function givenSizes(): Partial<Sizes> {
  const given = process.argv.slice(3).flatMap((word) => {
    const [, name, value] = /^(\w+)=(\d+)$/.exec(word) ?? [];
    return name === undefined || !(name in SIZES) ? [] : [[name, Number(value)] as const];
  });
  return Object.fromEntries(given);
}
