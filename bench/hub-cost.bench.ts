/**
 * The cost of a hub: `npm run bench -- hub-cost`. At full size: `npm run bench -- hub-cost full`; with other sizes, where 0 skips a part:
 * `npm run bench -- hub-cost catchup=200000 log=0 sources=0`. Another build is measured with `build=<its folder dist>`; then `node bench/hub-cost-table.mjs`
 * compares both.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchResult, FigureResult } from './harness.ts';
import { benchChild, isOtherBuild, sayProgress } from './hub-cost-build.ts';
import { catchUp } from './hub-cost-catch-up.ts';
import { latencies } from './hub-cost-latency.ts';
import { quietPolls } from './hub-cost-polls.ts';

const SIZES = { changes: 2000, catchup: 20_000, log: 20_000, sources: 200, lone: 0, seconds: 60 };
/** `lone`: for how many seconds a single source is polled. */
const FULL_SIZES = { changes: 2000, catchup: 200_000, log: 1_000_000, sources: 10_000, lone: 185, seconds: 60 };
type Sizes = typeof SIZES;
/** A log of this many changes is not filled with small runs: making its documents would take an hour. */
const LONG_RUN_CHANGES = 1000;
const SHORT_RUN_CHANGES = 20;
const MOST_SHORT_RUNS = 2000;

/** As promised in `docs/operations.md`. */
const GOAL_BYTES = 3000;
const GOAL_BLOCK_MS = 50;
const GOAL_STOP_MS = 10_000;
const GOAL_POLL_BYTES = 2000;
/** Polls at the edges of the time window may fall outside. */
const NEARLY = 0.95;
const SOURCES = 100;

export async function bench(): Promise<BenchResult[]> {
  const sizes = { ...(process.argv.includes('full') ? FULL_SIZES : SIZES), ...givenSizes() };
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-cost-'));
  const results: FigureResult[] = [];
  try {
    // It does almost nothing for minutes, so that other parts can be measured meanwhile.
    const lone = sizes.lone === 0 ? undefined : polls(join(folder, 'lone'), { sources: 1, seconds: sizes.lone });
    lone?.catch(() => {});
    for (const [name, part] of Object.entries(PARTS)) {
      const size = sizes[part.size];
      if (size === 0) continue;
      const place = join(folder, name);
      sayProgress(`${name}, ${part.size} ${size}`);
      results.push(await part.measure(place, sizes));
      await rm(place, { recursive: true, force: true });
    }
    if (lone !== undefined) results.push(await lone);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

interface Part {
  readonly size: keyof Sizes;
  measure(folder: string, sizes: Sizes): Promise<FigureResult>;
}

const PARTS: Readonly<Record<string, Part>> = {
  storage: { size: 'changes', measure: storage },
  'catch-up': { size: 'catchup', measure: lag },
  polls: { size: 'sources', measure: (folder, { sources, seconds }) => polls(folder, { sources, seconds }) },
  routes: { size: 'log', measure: routes },
};

async function storage(folder: string, { changes }: Sizes): Promise<FigureResult> {
  const figures = await benchChild('store', folder, SOURCES, changes);
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
  await benchChild('fill', join(folder, 'data'), SOURCES, catchup, Math.floor(catchup / 2), LONG_RUN_CHANGES);
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
  const runChanges = log > MOST_SHORT_RUNS * SHORT_RUN_CHANGES ? LONG_RUN_CHANGES : SHORT_RUN_CHANGES;
  await benchChild('fill', join(folder, 'data'), SOURCES, log, 0, runChanges);
  const { ours, peer } = await latencies(folder, log);
  return { ...rowOf('routes'), ours, peer, peerName: 'at its end, ms', goal: 'none', reached: true };
}

async function polls(folder: string, { sources, seconds }: Pick<Sizes, 'sources' | 'seconds'>): Promise<FigureResult> {
  await mkdir(folder);
  const ours = await quietPolls(folder, { sources, seconds });
  const expected = (sources * seconds) / 60;
  return {
    ...rowOf(sources === 1 ? 'lone-poll' : 'polls'),
    ours,
    peer: { bytesPerPoll: GOAL_POLL_BYTES },
    peerName: 'goal',
    goal: `≤ ${GOAL_POLL_BYTES} bytes a poll, each source once a minute`,
    reached: ours.bytesPerPoll <= GOAL_POLL_BYTES && ours.unread === 0 && ours.polls >= expected * NEARLY,
  };
}

function rowOf(part: string): { readonly name: string; readonly by: 'figures' } {
  return { name: `hub-cost-${part}${isOtherBuild() ? '-other-build' : ''}`, by: 'figures' };
}

/** `sources=10000` on the command line, after the name of the bench. */
function givenSizes(): Partial<Sizes> {
  const given = process.argv.slice(3).flatMap((word) => {
    const [, name, value] = /^(\w+)=(\d+)$/.exec(word) ?? [];
    return name === undefined || !(name in SIZES) ? [] : [[name, Number(value)] as const];
  });
  return Object.fromEntries(given);
}
