import { setTimeout as pause } from 'node:timers/promises';
import { Content, type ManySites, startManySites } from '../test/support/many-sites.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../test/support/postgres-server.ts';
import { databaseCpuSeconds, Fleet } from './cluster-fleet.ts';
import type { BenchResult, FigureResult } from './harness.ts';
import { cpuSecondsOf, until } from './hub-processes.ts';

interface Work {
  readonly name: string;
  readonly hosts: number;
  readonly pagesOfAHost: number;
  /** Whether an answer takes 0.7 s, or no time. */
  readonly isSlow?: boolean;
  readonly cooldownMs: number;
}

/**
 * `free`: separate hosts that answer at once, so that only computing and the database take time. `slow`: the same, but each answer takes 0.7 s, because a visit
 * mostly waits for the web. `polite`: many pages of few hosts, with a pause between requests to a host.
 */
const WORKS: readonly Work[] = [
  { name: 'free', hosts: 300, pagesOfAHost: 1, cooldownMs: 0 },
  { name: 'slow', hosts: 300, pagesOfAHost: 1, isSlow: true, cooldownMs: 0 },
  { name: 'polite', hosts: 20, pagesOfAHost: 10, cooldownMs: 500 },
];
const FLEETS = [1, 2, 4] as const;
const SECONDS = 10;
const SETTLE_MS = 8000;
const FIRST_READING_MS = 300_000;
const PAGE = '<!doctype html><title>A page</title><main><h1>A page</h1><p>It says the same to everyone.</p></main>';

/**
 * Looks per second of 1, 2 and 4 workers at sources that are always due: one compared with a hub without a database, the others compared with one. The CPU time
 * of workers, database and sites per look is shown too, since all of them share the cores of one machine here. `npm run bench -- cluster-visits slow` runs only
 * one kind of work.
 */
export async function bench(wanted: readonly string[] = []): Promise<BenchResult[]> {
  const bin = findPostgres();
  if (bin === undefined) {
    process.stdout.write('cluster-visits: skipped, no PostgreSQL on this machine\n');
    return [];
  }
  await using server = await startPostgres(bin, { settings: ['fsync=on', 'shared_buffers=128MB'] });
  const results: BenchResult[] = [];
  for (const work of WORKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    results.push(...(await measure(server, work)));
  return results;
}

async function measure(server: PostgresServer, work: Work): Promise<BenchResult[]> {
  const { name, hosts, pagesOfAHost, isSlow = false, cooldownMs } = work;
  await using sites = await startManySites(hosts);
  const content = new Content();
  const paths = Array.from({ length: pagesOfAHost }, (_, at) => `/${at}`);
  for (const path of paths) content.put(path, PAGE);
  for (const host of sites.hosts) Object.assign(host, { content, down: isSlow ? 'slow' : undefined });
  const sources = sites.hosts.flatMap(({ url }, host) =>
    paths.map((path, at) => ({
      id: `p${host}_${at}`,
      kind: 'page',
      urls: [new URL(path, url).href],
      intervalSeconds: 1,
    })),
  );
  await using fleet = await Fleet.open({ server, schema: name, cooldownMs, sources });
  const alone = await fleet.serve([], {});
  await untilKnown(sites);
  const single = await window(server, sites, fleet);
  process.stderr.write(`cluster-visits-${name} without a database: ${JSON.stringify(figuresOf(single))}\n`);
  await fleet.end(alone);
  await fleet.end(await fleet.serve(['--no-worker']));
  const measured: Window[] = [];
  for (const count of FLEETS) {
    while (fleet.pids.length < count) await fleet.work();
    if (count === 1) await untilKnown(sites);
    const found = await window(server, sites, fleet);
    process.stderr.write(`cluster-visits-${name}-${count}: ${JSON.stringify(figuresOf(found))}\n`);
    measured.push(found);
  }
  const [one = single] = measured;
  return measured.map(
    (each, at): FigureResult => ({
      name: `cluster-visits-${name}-${FLEETS[at]}`,
      by: 'figures',
      ours: figuresOf(each),
      peer: at === 0 ? figuresOf(single) : figuresOf(one),
      peerName: at === 0 ? 'one process without a database' : 'one worker',
      goal: 'none',
      reached: true,
    }),
  );
}

/** The first look at a page reads it; later looks find nothing new. */
async function untilKnown({ hosts }: ManySites): Promise<void> {
  for (const { requests } of hosts) requests.length = 0;
  await until(async () => hosts.every(({ requests }) => requests.some(({ of }) => of === 'turn')), FIRST_READING_MS);
}

interface Window {
  readonly visits: number;
  readonly seconds: number;
  readonly hubCpu: number;
  readonly databaseCpu: number;
  readonly sitesCpu: number;
}

async function window(server: PostgresServer, sites: ManySites, { pids }: Fleet): Promise<Window> {
  const turns = () =>
    sites.hosts.reduce((sum, { requests }) => sum + requests.filter(({ of }) => of === 'turn').length, 0);
  const seen = () => ({
    visits: turns(),
    seconds: performance.now() / 1000,
    hubCpu: pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
    databaseCpu: databaseCpuSeconds(server),
    sitesCpu: cpuSecondsOf(process.pid),
  });
  await pause(SETTLE_MS);
  const before = seen();
  await pause(SECONDS * 1000);
  const behind = seen();
  const grown = (of: keyof Window) => behind[of] - before[of];
  return {
    visits: grown('visits'),
    seconds: grown('seconds'),
    hubCpu: grown('hubCpu'),
    databaseCpu: grown('databaseCpu'),
    sitesCpu: grown('sitesCpu'),
  };
}

function figuresOf({ visits, seconds, hubCpu, databaseCpu, sitesCpu }: Window): FigureResult['ours'] {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const msOfAVisit = (cpu: number) => rounded((cpu * 1000) / visits);
  return {
    visitsPerSecond: rounded(visits / seconds),
    hubCpuMs: msOfAVisit(hubCpu),
    databaseCpuMs: msOfAVisit(databaseCpu),
    sitesCpuMs: msOfAVisit(sitesCpu),
    coresBusy: rounded((hubCpu + databaseCpu + sitesCpu) / seconds),
  };
}
