import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClusterOutcome,
  type ClusterPlan,
  ClusterWorld,
  isInTheMidst,
  untilItWrites,
  type WorkerPlace,
} from './cluster-world.ts';
import { passed, type TortureReport } from './harness.ts';
import { Random } from './hub-random.ts';

export interface ClusterTorture {
  /** The folder of a PostgreSQL. */
  readonly bin: string;
  readonly rounds: number;
  readonly seed: number;
  readonly flaw?: ClusterPlan['flaw'];
}

export interface ClusterReport extends TortureReport, Omit<ClusterOutcome, 'verdict'> {
  /** What a hit is. */
  readonly hitsAre: string;
}

const LEASE_MS = 1000;
const NONE_AHEAD = [0, 0, 0, 0];
const HOUR_MS = 3600_000;
const LONGEST_CUT_MS = 60_000;
const MISPLANNED = "due_at > now() + interval '10 minutes' OR due_at < now() - interval '10 minutes'";

export function describeCluster(report: ClusterReport): string {
  const { name, rounds, hits, hitsAre, writes, refused, unknown, longestPauseMs } = report;
  const counts = Object.entries(report.wrong).map(([what, count]) => `${count} ${what}`);
  const work = `${writes} writes, ${refused} refused, ${unknown} of unknown end, longest pause of everybody ${longestPauseMs} ms`;
  return `${name}: ${rounds} rounds, ${hits} ${hitsAre}; ${work}: ${counts.join(', ')}: ${passed(report) ? 'ok' : 'FAILED'}`;
}

/** Any worker, at any moment. */
export async function tortureClusterKills({ bin, rounds, seed, flaw }: ClusterTorture): Promise<ClusterReport> {
  const random = new Random(seed);
  await using world = await ClusterWorld.open({ bin, leaseMs: LEASE_MS, aheadMs: NONE_AHEAD, ...(flaw && { flaw }) });
  let hits = 0;
  for (let round = 0; round < rounds; round += 1) {
    const worker = random.pick(world.workers);
    if (!random.chance(0.1)) await worker.child.waitFor('ready');
    await pause(random.integer(0, 300));
    worker.child.kill();
    await worker.child.ended;
    if (isInTheMidst(worker.child)) hits += 1;
    world.replace(worker);
  }
  return await reportOf(world, { name: 'cluster, kill -9', rounds, hits, hitsAre: 'in the midst of an append' });
}

/** SIGSTOP for three leases, then CONT: whoever wakes has lost what it held. */
export async function tortureClusterStops({ bin, rounds, seed, flaw }: ClusterTorture): Promise<ClusterReport> {
  const random = new Random(seed);
  await using world = await ClusterWorld.open({ bin, leaseMs: LEASE_MS, aheadMs: NONE_AHEAD, ...(flaw && { flaw }) });
  await inLanes(world, rounds, async ({ child }) => {
    await pause(random.integer(100, 600));
    process.kill(child.pid, 'SIGSTOP');
    await pause(3 * LEASE_MS);
    process.kill(child.pid, 'SIGCONT');
    await untilItWrites(child);
  });
  const report = await reportOf(world, { name: 'cluster, SIGSTOP', rounds, hits: 0, hitsAre: 'stale writes refused' });
  return { ...report, hits: report.refused };
}

/** PostgreSQL stops at once, and comes back; everybody goes on by itself. */
export async function tortureClusterCrashes({ bin, rounds, seed }: ClusterTorture): Promise<ClusterReport> {
  const random = new Random(seed);
  await using world = await ClusterWorld.open({ bin, leaseMs: LEASE_MS, aheadMs: NONE_AHEAD });
  let hits = 0;
  for (let round = 0; round < rounds; round += 1) {
    await pause(random.integer(100, 1500));
    if (world.workers.some(({ child }) => isInTheMidst(child))) hits += 1;
    await world.server.crash();
    await Promise.all(world.workers.map(({ child }) => untilItWrites(child)));
  }
  return await reportOf(world, { name: 'cluster, PostgreSQL stops', rounds, hits, hitsAre: 'in the midst of appends' });
}

/** Nothing passes between a worker and the database, for a second or a minute; one of them is always left. */
export async function tortureClusterCuts({ bin, rounds, seed }: ClusterTorture): Promise<ClusterReport> {
  const random = new Random(seed);
  await using world = await ClusterWorld.open({ bin, leaseMs: LEASE_MS, aheadMs: NONE_AHEAD });
  let hits = 0;
  await inLanes(world, rounds, async ({ child, proxy }) => {
    await pause(random.integer(100, 600));
    const before = proxy.fired();
    proxy.stall();
    await pause(LEASE_MS + (LONGEST_CUT_MS - LEASE_MS) * random.fraction() ** 6);
    if (proxy.fired() > before) hits += 1;
    proxy.mend();
    await untilItWrites(child);
  });
  return await reportOf(world, { name: 'cluster, cut off', rounds, hits, hitsAre: 'with something to say meanwhile' });
}

/** Clocks that are an hour ahead and behind, and step with each start. */
export async function tortureClusterClocks({ bin, rounds, seed, flaw }: ClusterTorture): Promise<ClusterReport> {
  const random = new Random(seed);
  const aheadMs = [HOUR_MS, -HOUR_MS, 0, HOUR_MS];
  await using world = await ClusterWorld.open({ bin, leaseMs: LEASE_MS, aheadMs, ...(flaw && { flaw }) });
  const countMisplanned = async () =>
    (await world.reader.ask(`SELECT FROM tidings.sources WHERE ${MISPLANNED}`)).length;
  let misplanned = 0;
  for (let round = 0; round < rounds; round += 1) {
    const worker = random.pick(world.workers);
    // Sources that are planned for another hour are visited by nobody: there is nothing to wait for.
    await untilItWrites(worker.child, async () => (await countMisplanned()) > 0);
    worker.child.kill();
    await worker.child.ended;
    world.replace(worker, random.pick([HOUR_MS, -HOUR_MS, 0]));
    await worker.child.waitFor('ready');
    misplanned += await countMisplanned();
  }
  const report = await reportOf(world, { name: 'cluster, clocks', rounds, hits: rounds, hitsAre: 'clocks changed' });
  return { ...report, wrong: { ...report.wrong, misplanned } };
}

/** Each worker but the last has its own rounds. */
async function inLanes(
  world: ClusterWorld,
  rounds: number,
  work: (worker: WorkerPlace) => Promise<void>,
): Promise<void> {
  let left = rounds;
  await Promise.all(
    world.workers.slice(1).map(async (worker) => {
      for (; left > 0; ) {
        left -= 1;
        await work(worker);
      }
    }),
  );
}

async function reportOf(
  world: ClusterWorld,
  said: Pick<ClusterReport, 'name' | 'rounds' | 'hits' | 'hitsAre'>,
): Promise<ClusterReport> {
  const { verdict, ...counts } = await world.finish();
  return { ...said, ...counts, wrong: { ...verdict } };
}
