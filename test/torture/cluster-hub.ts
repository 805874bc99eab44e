import { setTimeout as pause } from 'node:timers/promises';
import {
  crashDatabase,
  cutOffProcesses,
  cutOffProjector,
  type FaultReport,
  killProcesses,
  shiftClocks,
  stopProcesses,
} from './cluster-hub-faults.ts';
import { type ClusterHubFigures, type ClusterHubVerdict, judgeClusterHub } from './cluster-hub-judge.ts';
import { comparePairs, type PairsReport } from './cluster-hub-pairs.ts';
import { ClusterHub, type ClusterHubOptions, until } from './cluster-hub-world.ts';

export interface ClusterHubPlan extends ClusterHubOptions {
  readonly kills: number;
  readonly stops: number;
  readonly cuts: number;
  readonly crashes: number;
  readonly projectorCuts: number;
  readonly clocks: number;
  /** Requests that are made of both servers. */
  readonly pairs: number;
  /** Said while it goes on. */
  readonly say: (line: string) => void;
}

export interface ClusterHubReport {
  readonly ways: string;
  readonly seed: number;
  readonly faults: readonly FaultReport[];
  readonly verdict: ClusterHubVerdict & { readonly unsettled: number; readonly 'bad ends': number };
  readonly figures: ClusterHubFigures & Readonly<Record<string, number>>;
  readonly pairs: PairsReport;
  /** What a reader had to wait for longest. */
  readonly slowest: string;
  readonly complaints: readonly string[];
}

/** Most is reported within two checks. A hub may hold back what it takes for volatile, until 12 checks, or 24, have found it unchanged (ADR 0050). */
const SETTLE_MS = 15 * 60_000;
const QUIET_MS = 2000;

/** A whole hub on PostgreSQL, in real processes, through every kind of fault; one history from the first to the last. */
export async function tortureClusterHub(plan: ClusterHubPlan): Promise<ClusterHubReport> {
  const begunMs = performance.now();
  await using hub = await ClusterHub.open(plan);
  const { world, random } = hub;
  const { ledger } = world;
  plan.say(`  ${world.sources.length} sources, ${ledger.told} changes told after ${seconds(begunMs)} s`);
  const faults: FaultReport[] = [];
  const run = async (rounds: number, fault: (hub: ClusterHub, rounds: number) => Promise<FaultReport>) => {
    if (rounds === 0) return;
    const report = await fault(hub, rounds);
    faults.push(report);
    plan.say(`  ${describeFault(report)}, after ${seconds(begunMs)} s; ${ledger.open} changes are waited for`);
  };
  await run(plan.kills, killProcesses);
  await Promise.all([run(plan.stops, stopProcesses), run(plan.projectorCuts, cutOffProjector)]);
  await run(plan.cuts, cutOffProcesses);
  await run(plan.crashes, crashDatabase);
  await run(plan.clocks, shiftClocks);

  hub.rest();
  const unsettled = (await until(() => ledger.open === 0, SETTLE_MS)) ? 0 : 1;
  plan.say(`  settled after ${seconds(begunMs)} s, the last one was ${ledger.slowest}`);
  await pause(QUIET_MS);
  const pairs = await comparePairs(hub, plan.pairs);
  const feedsDiffer = await hub.audience.finish();
  const badEnds = (await Promise.all(hub.places.map((place) => place.stop()))).flatMap((how, index) => {
    const { name = '', lastLines = [] } = hub.places[index] ?? {};
    return how === 0 ? [] : `${name}, asked to end, ended with ${how}: ${lastLines.slice(-5).join(' | ')}`;
  });
  await hub.journal.finish();
  ledger.close();
  const { verdict, figures } = judgeClusterHub(hub, feedsDiffer);
  return {
    ways: hub.ways.are,
    seed: random.seed,
    faults,
    verdict: { ...verdict, unsettled, 'bad ends': badEnds.length },
    figures: {
      ...figures,
      edits: hub.edits,
      told: ledger.told,
      merged: ledger.merged,
      writes: hub.journal.seen.size,
      readerAnswers: [...hub.audience.answers.values()].reduce((sum, count) => sum + count, 0),
      longestDelayMs: Math.round(ledger.delaysMs.reduce((most, ms) => Math.max(most, ms), 0)),
      seconds: seconds(begunMs),
    },
    pairs,
    slowest: ledger.slowest,
    complaints: [...ledger.complaints, ...badEnds],
  };
}

export function clusterHubPassed({ faults, verdict, pairs, figures }: ClusterHubReport): boolean {
  const isNone = (counts: Readonly<Record<string, number>>) => Object.values(counts).every((count) => count === 0);
  const wasTried = faults.every(({ hits, wrong }) => hits > 0 && isNone(wrong));
  return wasTried && isNone({ ...verdict }) && isNone(pairs.wrong) && pairs.pairs > 0 && figures.acked > 0;
}

export function describeClusterHub(report: ClusterHubReport): string {
  const { ways, seed, faults, verdict, figures, pairs, slowest, complaints } = report;
  const counts = (record: object) =>
    Object.entries(record)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ');
  return [
    `cluster of real processes (seed ${seed}), cut off by ${ways}: ${clusterHubPassed(report) ? 'ok' : 'FAILED'}`,
    ...faults.map((fault) => `  ${describeFault(fault)}`),
    `  in all: ${counts(verdict)}`,
    `  ${counts(figures)}`,
    `  ${pairs.pairs} paired GETs over ${pairs.addresses} addresses at seq ${pairs.seq}: ${counts(pairs.wrong)}`,
    `  told last: ${slowest}`,
    ...complaints.map((line) => `    ${line}`),
  ].join('\n');
}

function describeFault({ name, rounds, hits, hitsAre, wrong }: FaultReport): string {
  const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
  return `${name}: ${rounds} rounds, ${hits} ${hitsAre}: ${counts.join(', ')}`;
}

function seconds(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) / 1000);
}
