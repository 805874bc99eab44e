import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * One side of a comparison: does its work once and says how many operations that was, or, where the work is done by
 * another process, what one of them cost.
 */
export type Side = () => number | Cost | Promise<number | Cost>;

export interface Comparison {
  /** Names the row, and the file of its figures. */
  readonly name: string;
  /** What one operation is: `change`, `page`. */
  readonly unit: string;
  readonly ours: Side;
  readonly peer: Side;
  readonly peerName: string;
  /**
   * `atLeast`: our rate over the rate of the peer. `atMost`: our cost over the cost of the peer. A comparison
   * without a goal informs only.
   */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
  /** `cpu` for work that computes, `wall` for work that waits on the disk. */
  readonly by: 'cpu' | 'wall';
  /** How often each side runs, in turn; the median counts. The first run of each warms up and is not counted. */
  readonly rounds?: number;
}

/** Of one operation. */
export interface Cost {
  readonly cpuUs: number;
  readonly wallUs: number;
}

export interface BenchResult {
  readonly name: string;
  readonly unit: string;
  readonly by: 'cpu' | 'wall';
  /** Per operation, in microseconds. */
  readonly ours: Cost;
  readonly peer: Cost;
  readonly peerName: string;
  readonly ratio: number;
  readonly goal: string;
  readonly reached: boolean;
}

const ROUNDS = 9;

/** Runs both sides in turn, in one process and one run, so that both meet the same machine. */
export async function compare(comparison: Comparison): Promise<BenchResult> {
  const { name, unit, by, peerName, goal, rounds = ROUNDS } = comparison;
  const costs: { ours: Cost[]; peer: Cost[] } = { ours: [], peer: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await measure(comparison.ours);
    const peer = await measure(comparison.peer);
    if (round === 0) continue;
    costs.ours.push(ours);
    costs.peer.push(peer);
  }
  const ours = medianCost(costs.ours);
  const peer = medianCost(costs.peer);
  const costRatio = by === 'cpu' ? ours.cpuUs / peer.cpuUs : ours.wallUs / peer.wallUs;
  const judged = judge(costRatio, goal);
  return { name, unit, by, ours, peer, peerName, ...judged };
}

/** `name  ours  peer  ratio  goal`, as one line. */
export function describeResult(result: BenchResult): string {
  const { name, ours, peer, peerName, by, ratio, goal, unit } = result;
  const perSecond = (cost: Cost) => `${Math.round(1e6 / (by === 'cpu' ? cost.cpuUs : cost.wallUs))} ${unit}s/s`;
  const verdict = result.reached ? '' : '  MISSED';
  return `${name} (${by})  ours ${perSecond(ours)}  ${peerName} ${perSecond(peer)}  ratio ${ratio.toFixed(2)}  goal ${goal}${verdict}`;
}

/** Into `bench/results/`, below the folder that npm runs scripts in. */
export async function writeResult(result: BenchResult): Promise<void> {
  const folder = join('bench', 'results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

function judge(costRatio: number, goal: Comparison['goal']): Pick<BenchResult, 'ratio' | 'goal' | 'reached'> {
  if (goal === undefined) return { ratio: 1 / costRatio, goal: 'none', reached: true };
  if ('atMost' in goal) return { ratio: costRatio, goal: `≤ ${goal.atMost}`, reached: costRatio <= goal.atMost };
  return { ratio: 1 / costRatio, goal: `≥ ${goal.atLeast}`, reached: 1 / costRatio >= goal.atLeast };
}

async function measure(side: Side): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const wallBefore = process.hrtime.bigint();
  const outcome = await side();
  if (typeof outcome === 'object') return outcome;
  const wallNs = Number(process.hrtime.bigint() - wallBefore);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuUs: (user + system) / outcome, wallUs: wallNs / 1000 / outcome };
}

function medianCost(costs: readonly Cost[]): Cost {
  return { cpuUs: median(costs.map(({ cpuUs }) => cpuUs)), wallUs: median(costs.map(({ wallUs }) => wallUs)) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
