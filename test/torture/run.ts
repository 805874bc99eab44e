/**
 * Every torture at full length. `npm run torture`, `npm run torture -- 100` for fewer rounds, `npm run torture -- hub` for
 * those whose name begins so, `npm run torture -- hub-kill seed=77` for the random choices of an earlier run, which each report names.
 *
 * Ends with 1 when a promise was broken, or when no kill hit any work.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findPostgres } from '../support/postgres-server.ts';
import { tortureAppend } from './append.ts';
import { describeOrigins, tortureOrigins } from './broken-origins.ts';
import {
  type ClusterReport,
  type ClusterTorture,
  describeCluster,
  tortureClusterClocks,
  tortureClusterCrashes,
  tortureClusterCuts,
  tortureClusterKills,
  tortureClusterStops,
} from './cluster.ts';
import { describeDefects, tortureClusterDefects } from './cluster-defects.ts';
import { clusterHubPassed, describeClusterHub, tortureClusterHub } from './cluster-hub.ts';
import { describeProjectors, plantTwoProjectors } from './cluster-hub-defect.ts';
import { canSeparate, NAMESPACE, SEPARATELY } from './cluster-hub-ways.ts';
import { describeDiffDelta, tortureDiffDelta } from './diffdelta.ts';
import { describeExport, tortureExport } from './export.ts';
import { describeFall, tortureFall } from './fall-and-return.ts';
import { fillDisk } from './full-disk.ts';
import { describeReport, passed, type TortureReport } from './harness.ts';
import { tortureKill } from './hub-kill.ts';
import { newSeed, Random, seedIn } from './hub-random.ts';
import { describeHub, type HubReport } from './hub-report.ts';
import { tortureSites } from './hub-sites.ts';
import { tortureMcpCuts } from './mcp-cuts.ts';
import { torturePublish } from './publish.ts';
import { describeRestless, RESTLESS_KINDS, tortureRestless } from './restless.ts';
import { describeRestore, tortureRestore } from './restore.ts';
import { tortureSse } from './sse.ts';
import { tortureStrangers } from './strangers.ts';
import { describeSync, tortureSync } from './sync.ts';
import { traceAppends } from './sync-trace.ts';
import { tortureTlogHub } from './tlog-hub.ts';
import { tortureTlogHubMutations } from './tlog-hub-mutations.ts';
import { describeMutations, tortureTlogMutations } from './tlog-mutations.ts';
import { tortureTlogPublish } from './tlog-publish.ts';
import { describeRedactions, tortureTlogRedactions } from './tlog-redactions.ts';
import { describeWebhooks, tortureWebhooks } from './webhooks.ts';
import { describeSpread, tortureWebSub } from './websub.ts';

const STORES = ['sqlite', 'file'] as const;
const FULL_ROUNDS = 1000;

const words = process.argv.slice(2);
const rounds = Number(words.find((word) => /^\d+$/.test(word)) ?? FULL_ROUNDS);
const seed = seedIn(words) ?? newSeed();
const [wanted = ''] = words.filter((word) => !/^(?:seed=)?\d+$/.test(word));
/** Of what takes minutes at full length. */
const share = rounds / FULL_ROUNDS;

const parts: Readonly<Record<string, () => Promise<void>>> = {
  append: async () => {
    for (const store of STORES) sayKills(await tortureAppend({ store, rounds }));
  },
  publish: async () => sayKills(await torturePublish(rounds)),
  'tlog-publish': async () => {
    sayKills(await tortureTlogPublish(Math.ceil(rounds / 2)));
    const mutated = await tortureTlogMutations({ mutations: Math.ceil(rounds / 2), publishes: 18, seed });
    say(describeMutations(mutated), mutated.missed.length === 0);
    const redacted = await tortureTlogRedactions(Math.ceil(100 * share));
    say(describeRedactions(redacted), redacted.leaks.length === 0 && redacted.broken === 0 && redacted.redactions > 0);
  },
  fsync: traceSyncs,
  origins: async () => {
    const origins = await tortureOrigins({ deadlineMs: 20_000 });
    say(describeOrigins(origins), passed(origins) && origins.hits === origins.rounds);
  },
  'origins-restless': async () => {
    const report = await tortureRestless({
      kinds: RESTLESS_KINDS,
      looks: Math.max(12, Math.ceil(50 * share)),
      seed,
    });
    say(describeRestless(report), passed(report) && report.hits === report.rounds);
  },
  'tlog-hub': async () => {
    const each = Math.ceil(250 * share);
    for (const writers of [1, 2] as const) sayKills(await tortureTlogHub({ rounds: each, writers }));
    const random = new Random(seed);
    sayKills(await tortureTlogHubMutations(Math.ceil(500 * share), () => random.fraction()));
  },
  'full-disk': fillDisks,
  diffdelta: async () => {
    const report = await tortureDiffDelta({ histories: rounds, seed });
    say(describeDiffDelta(report), passed(report));
  },
  websub: async () => {
    const report = await tortureWebSub({ rounds: Math.ceil(100 * share), subscribers: 50, edits: 5, seed });
    say(`${describeReport(report)}; ${describeSpread(report)}`, passed(report));
  },
  mcp: async () => sayKills(await tortureMcpCuts({ rounds, seed })),
  sse: async () => sayKills(await tortureSse({ rounds, seed })),
  'fall-and-return': async () => {
    const report = await tortureFall({ rounds: Math.ceil(100 * share), seed });
    say(describeFall(report), passed(report) && report.hits === report.rounds);
  },
  export: async () => {
    const report = await tortureExport({ rounds: Math.ceil(100 * share), seed });
    say(`${describeReport(report)}; ${describeExport(report)}`, passed(report));
  },
  restore: async () => {
    const report = await tortureRestore(Math.ceil(100 * share));
    say(describeRestore(report), passed(report) && report.hits === report.rounds);
  },
  sync: async () => {
    const report = await tortureSync({ edits: Math.ceil(500 * share), kills: Math.ceil(200 * share), seed });
    say(describeSync(report), passed(report));
  },
  webhooks: async () => {
    const report = await tortureWebhooks({ rounds: Math.ceil(200 * share), seed });
    say(describeWebhooks(report), passed(report));
  },
  strangers: async () =>
    sayHub(
      await tortureStrangers({
        origins: 60,
        clients: 20,
        seconds: Math.max(30, Math.ceil(180 * share)),
        intervalSeconds: 5,
        slackMs: 1000,
        seed,
      }),
    ),
  'cluster-journal-defects': async () => {
    const bin = findPostgres();
    if (bin === undefined) return say('cluster: skipped, no PostgreSQL on this machine', true);
    const report = await tortureClusterDefects({ bin, seed });
    say(describeDefects(report), passed(report));
  },
  // The journal alone, in little time; `cluster-hub` does all of it to whole processes.
  'cluster-journal-kill': () => tortureCluster(tortureClusterKills, 60),
  'cluster-journal-stop': () => tortureCluster(tortureClusterStops, 12),
  'cluster-journal-cut': () => tortureCluster(tortureClusterCuts, 6),
  'cluster-journal-crash': () => tortureCluster(tortureClusterCrashes, 5),
  'cluster-journal-clocks': () => tortureCluster(tortureClusterClocks, 4),
  'cluster-hub-defect': plantProjectors,
  'cluster-hub-faults': tortureRealCluster,
  'hub-sites': async () =>
    sayHub(await tortureSites({ sites: 200, seconds: Math.ceil(180 * share), editsPerSecond: 30, seed })),
  'hub-kill': async () => sayHub(await tortureKill({ rounds: Math.ceil(200 * share), maxLifeMs: 2500, seed })),
};

const chosen = Object.entries(parts).filter(([name]) => name.startsWith(wanted));
if (chosen.length === 0) throw new Error(`No torture begins with "${wanted}".`);
for (const [, torture] of chosen) await torture();

async function tortureCluster(torture: (wish: ClusterTorture) => Promise<ClusterReport>, most: number): Promise<void> {
  const bin = findPostgres();
  if (bin === undefined) return say('cluster: skipped, no PostgreSQL on this machine', true);
  const report = await torture({ bin, rounds: Math.ceil(most * share), seed });
  say(describeCluster(report), passed(report));
}

async function plantProjectors(): Promise<void> {
  await inNamespace('cluster-hub-defect', async (bin) => {
    const random = new Random(seed);
    const few = { sites: 40, workers: 2, intervalSeconds: 2, editsPerSecond: 3 };
    const report = await plantTwoProjectors({ bin, random, ...few });
    say(describeProjectors(report), passed(report));
  });
}

async function tortureRealCluster(): Promise<void> {
  await inNamespace('cluster-hub-faults', async (bin) => {
    const report = await tortureClusterHub({
      bin,
      random: new Random(seed),
      sites: Math.ceil(500 * Math.min(1, share * 10)),
      workers: 4,
      intervalSeconds: 30,
      editsPerSecond: 5 * Math.min(1, share * 10),
      kills: Math.ceil(200 * share),
      stops: Math.ceil(50 * share),
      cuts: Math.ceil(50 * share),
      crashes: Math.ceil(20 * share),
      projectorCuts: Math.ceil(20 * share),
      clocks: Math.ceil(10 * share),
      pairs: Math.ceil(10_000 * share),
      say: (line) => say(line, true),
    });
    say(describeClusterHub(report), clusterHubPassed(report));
  });
}

/** Runs the part in a network namespace of its own, where there can be one: so partitions are real, and no address of this machine is used. */
async function inNamespace(part: string, work: (bin: string) => Promise<void>): Promise<void> {
  const bin = findPostgres();
  if (bin === undefined) return say(`${part}: skipped, no PostgreSQL on this machine`, true);
  if (process.env[NAMESPACE] !== undefined) return await work(bin);
  if (!(await canSeparate())) {
    say(`${part}: this user may not make network namespaces; a proxy that stalls stands in for them`, true);
    return await work(bin);
  }
  const [, script = ''] = process.argv;
  const words = [...SEPARATELY, process.execPath, script, part, String(rounds), `seed=${seed}`];
  const child = spawn('unshare', words, { stdio: 'inherit', env: { ...process.env, [NAMESPACE]: '1' } });
  const end = () => void child.kill('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}

async function traceSyncs(): Promise<void> {
  for (const store of STORES) {
    const trace = await traceAppends(store, { appends: rounds });
    if (trace === undefined) {
      say(`fsync (${store}): skipped, strace is not here or may not trace`, true);
      continue;
    }
    const line = `fsync (${store}): ${trace.acks} acks, ${trace.unsynced} without a prior fsync`;
    say(line, trace.unsynced === 0 && trace.acks === rounds);
  }
}

async function fillDisks(): Promise<void> {
  for (const store of STORES) {
    const story = await fillDisk(store);
    if (story === undefined) {
      say(`full disk (${store}): skipped, this user may not mount a small one`, true);
      continue;
    }
    const { acked, readAtLast, error } = story;
    const same = acked.length === readAtLast.length && acked.every((id, index) => id === readAtLast[index]);
    const line = `full disk (${store}): ${error?.name}; ${acked.length} acked, ${readAtLast.length} stored, ${same ? 'the same' : 'NOT the same'}`;
    say(line, same && error !== undefined);
  }
}

function sayKills(report: TortureReport): void {
  say(describeReport(report), passed(report));
}

function sayHub(report: HubReport): void {
  say(describeHub(report), passed(report));
}

function say(line: string, isGood: boolean): void {
  process.stdout.write(`${line}\n`);
  if (!isGood) process.exitCode = 1;
}
