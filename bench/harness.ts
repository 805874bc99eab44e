import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One side of a comparison: does its work once and returns the number of operations, or, if another process does the work, the cost of one operation. */
export type Side = () => number | Cost | Promise<number | Cost>;

export interface Comparison {
  /** The name of the row, and of the file with its figures. */
  readonly name: string;
  /** The name of one operation: `change`, `page`. */
  readonly unit: string;
  readonly ours: Side;
  readonly peer: Side;
  readonly peerName: string;
  /**
   * `atLeast`: our rate divided by the rate of the peer. `atMost`: our cost divided by the cost of the peer. A comparison without a goal is for information
   * only.
   */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
  /** `cpu` for work that computes, `wall` for work that waits on the disk. */
  readonly by: 'cpu' | 'wall';
  /** How often each side runs, in turn. The median counts. The first run of each is a warm-up and is not counted. */
  readonly rounds?: number;
}

/** The cost of one operation. */
export interface Cost {
  readonly cpuUs: number;
  readonly wallUs: number;
}

export type BenchResult = CostResult | ScoreResult | FigureResult;

export interface CostResult {
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

/** The quality of a result between 0 and 1, compared with that of each peer. */
export interface ScoreResult {
  readonly name: string;
  readonly by: 'score';
  readonly count: number;
  readonly unit: string;
  readonly ours: number;
  readonly peers: Readonly<Record<string, number>>;
  /** The minimum compared with the peers. The goal is what we want beyond that. */
  readonly floor: string;
  readonly floorKept: boolean;
  readonly goal: string;
  readonly reached: boolean;
  /** Further figures, for information only. */
  readonly also: Readonly<Record<string, number>>;
}

/** Figures without a rate, each compared with that of a peer. */
export interface FigureResult {
  readonly name: string;
  readonly by: 'figures';
  readonly ours: Readonly<Record<string, number>>;
  readonly peer: Readonly<Record<string, number>>;
  readonly peerName: string;
  readonly goal: string;
  readonly reached: boolean;
}

const ROUNDS = 9;

/** Runs both sides in turn in one process, so that both run under the same conditions. */
export async function compare(comparison: Comparison): Promise<CostResult> {
  const costs = await measureInTurn({ ours: comparison.ours, peer: comparison.peer }, comparison.rounds);
  return judgeCosts(comparison, costs);
}

/** The cost of one operation of each side: the median of the rounds, in which the sides take turns. */
export async function measureInTurn<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  rounds = ROUNDS,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(sides) as Name[];
  const costs = new Map(names.map((name): [Name, Cost[]] => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const cost = await measure(sides[name]);
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  return Object.fromEntries([...costs].map(([name, list]) => [name, medianCost(list)])) as Record<Name, Cost>;
}

/** For costs that are already known. */
export function judgeCosts(
  { name, unit, by, peerName, goal }: Omit<Comparison, 'ours' | 'peer' | 'rounds'>,
  { ours, peer }: { readonly ours: Cost; readonly peer: Cost },
): CostResult {
  const costRatio = by === 'cpu' ? ours.cpuUs / peer.cpuUs : ours.wallUs / peer.wallUs;
  return { name, unit, by, ours, peer, peerName, ...judge(costRatio, goal) };
}

/** `name  ours  peer  ratio  goal`, as one line. */
export function describeResult(result: BenchResult): string {
  if (result.by === 'score') return describeScore(result);
  if (result.by === 'figures') return describeFigures(result);
  const { name, ours, peer, peerName, by, ratio, goal, unit } = result;
  const perSecond = (cost: Cost) => `${Math.round(1e6 / (by === 'cpu' ? cost.cpuUs : cost.wallUs))} ${unit}s/s`;
  const verdict = result.reached ? '' : '  MISSED';
  return `${name} (${by})  ours ${perSecond(ours)}  ${peerName} ${perSecond(peer)}  ratio ${ratio.toFixed(2)}  goal ${goal}${verdict}`;
}

function describeScore({ name, count, unit, ours, peers, floor, floorKept, goal, reached }: ScoreResult): string {
  const others = Object.entries(peers).map(([peer, score]) => `  ${peer} ${score.toFixed(3)}`);
  const verdict = (kept: boolean) => (kept ? '' : '  MISSED');
  return `${name} (F1, ${count} ${unit}s)  ours ${ours.toFixed(3)}${others.join('')}  floor ${floor}${verdict(floorKept)}  goal ${goal}${verdict(reached)}`;
}

function describeFigures({ name, ours, peer, peerName, goal, reached }: FigureResult): string {
  const said = (figures: FigureResult['ours']) =>
    Object.entries(figures)
      .map(([what, value]) => `${what} ${value}`)
      .join(', ');
  return `${name}  ours ${said(ours)}  ${peerName} ${said(peer)}  goal ${goal}${reached ? '' : '  MISSED'}`;
}

/** Writes into `bench/results/`, below the working folder of npm scripts. */
export async function writeResult(result: BenchResult): Promise<void> {
  const folder = join('bench', 'results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

function judge(costRatio: number, goal: Comparison['goal']): Pick<CostResult, 'ratio' | 'goal' | 'reached'> {
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
