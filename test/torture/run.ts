/**
 * Every torture at full length. `npm run torture`, `npm run torture -- 100` for fewer rounds, `npm run torture -- hub` for
 * those whose name begins so, `npm run torture -- hub-kill seed=77` for the random choices of an earlier run, which each report names.
 *
 * Ends with 1 when a promise was broken, or when no kill hit any work.
 */
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
import { describeDiffDelta, tortureDiffDelta } from './diffdelta.ts';
import { describeExport, tortureExport } from './export.ts';
import { describeFall, tortureFall } from './fall-and-return.ts';
import { fillDisk } from './full-disk.ts';
import { describeReport, passed, type TortureReport } from './harness.ts';
import { tortureKill } from './hub-kill.ts';
import { newSeed, seedIn } from './hub-random.ts';
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
  'cluster-defects': async () => {
    const bin = findPostgres();
    if (bin === undefined) return say('cluster: skipped, no PostgreSQL on this machine', true);
    const report = await tortureClusterDefects({ bin, seed });
    say(describeDefects(report), passed(report));
  },
  'cluster-kill': () => tortureCluster(tortureClusterKills, 200),
  'cluster-stop': () => tortureCluster(tortureClusterStops, 50),
  'cluster-cut': () => tortureCluster(tortureClusterCuts, 50),
  'cluster-crash': () => tortureCluster(tortureClusterCrashes, 20),
  'cluster-clocks': () => tortureCluster(tortureClusterClocks, 10),
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
