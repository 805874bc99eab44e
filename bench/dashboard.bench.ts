/**
 * The cost of a dashboard view, as a page and as JSON: `npm run bench -- dashboard`. At full size (10,000 sources, 1,000,000 changes):
 * `npm run bench -- dashboard full`; with other sizes: `npm run bench -- dashboard sources=2000 log=100000`.
 *
 * Views are found in the OpenAPI description of the hub, so that new ones are measured automatically.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from './harness.ts';
import { benchChild, inTime, progressOf } from './hub-cost-build.ts';
import { BENCH_TOKEN, startMonitoredHub } from './hub-cost-hub.ts';

const SIZES = { sources: 1000, log: 20_000 };
const FULL_SIZES = { sources: 10_000, log: 1_000_000 };
const DAYS = 30;
const sayProgress = progressOf('dashboard');
const GOAL_MS = 10;
const ROUNDS = 20;
const WARM_ROUNDS = 3;
/** A log of this many changes is not filled with small runs: making its documents would take an hour. */
const MOST_RUNS = 10_000;
const PATIENCE_MS = 1_800_000;
const VIEWS = '/api/v1/views/';
const PAGE = encodeURIComponent('https://docs-7.example/handbook/chapter-3.html');

/** Further queries of a view: filters that match much, little and nothing. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  search: [
    ...['q=handbook', 'q=chapter+product', 'q=nothingofthis', 'q=pro+chap+kno', 'action=delete', 'kind=endpoint'],
    ...['path=/nowhere/**', 'path=/*/chapter-3.html', 'q=part&source=handbook_0007', 'before=1000'],
  ],
  sources: ['q=handbook_0007', 'from=900'],
  timeline: [`url=${PAGE}`, `source=handbook_0007&url=${PAGE}&anchor=part-3`],
};

export async function bench(): Promise<BenchResult[]> {
  const sizes = { ...(process.argv.includes('full') ? FULL_SIZES : SIZES), ...givenSizes() };
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-dashboard-'));
  try {
    await mkdir(join(folder, 'hub'));
    const data = join(folder, 'hub', 'data');
    const run = Math.max(20, Math.ceil(sizes.log / MOST_RUNS));
    sayProgress(`${sizes.log} changes of ${sizes.sources} sources are written`);
    await benchChild('fill', data, sizes.sources, sizes.log, 0, run, DAYS);
    const views = await measureViews(join(folder, 'hub'));
    const slow = Object.entries(views).filter(([, ms]) => ms > GOAL_MS);
    return [
      {
        name: 'dashboard',
        by: 'figures',
        ours: { watched: sizes.sources, changes: sizes.log, ...views },
        peer: { cpuMs: GOAL_MS },
        peerName: 'goal',
        goal: `≤ ${GOAL_MS} ms of CPU a view`,
        reached: slow.length === 0 && Object.keys(views).length > 0,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In milliseconds of CPU, over all threads of the hub. */
async function measureViews(folder: string): Promise<Record<string, number>> {
  const hub = startMonitoredHub(folder);
  try {
    const base = await inTime(hub.url, PATIENCE_MS);
    if (base === undefined) throw new Error('The hub did not listen in time.');
    sayProgress('the hub listens');
    await caughtUp(base);
    sayProgress('its index has the whole log');
    const costs: Record<string, number> = {};
    for (const path of await viewPaths(base)) {
      if ((await ask(base, path)) === undefined) continue;
      for (let round = 0; round < WARM_ROUNDS; round += 1) await ask(base, path);
      const before = await cpuMs(hub.pid);
      for (let round = 0; round < ROUNDS; round += 1) await ask(base, path);
      costs[path || 'overview'] = Number((((await cpuMs(hub.pid)) - before) / ROUNDS).toFixed(2));
    }
    return costs;
  } finally {
    await hub.stop();
  }
}

async function caughtUp(base: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const { behind } = JSON.parse((await ask(base, `${VIEWS.slice(1)}search`)) ?? '{}') as { readonly behind?: number };
    if (behind === 0) return;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error('The index did not catch up in time.');
}

/** The page and the JSON of each view, below the hub. */
async function viewPaths(base: string): Promise<readonly string[]> {
  const { paths } = JSON.parse((await ask(base, 'openapi.json')) ?? '{"paths":{}}') as {
    paths: Record<string, unknown>;
  };
  const { changes = [] } = JSON.parse((await ask(base, 'api/v1/changes?limit=1')) ?? '{}') as {
    readonly changes?: readonly { readonly id: string }[];
  };
  const ids: Readonly<Record<string, string>> = { sources: 'handbook_0007', changes: changes[0]?.id ?? '' };
  const names = Object.keys(paths)
    .filter((path) => path.startsWith(VIEWS))
    .map((path) => path.slice(VIEWS.length))
    .map((name) => name.replace(/\{\w+\}/g, () => ids[name.split('/')[0] ?? ''] ?? 'none'));
  return names.flatMap((name) =>
    ['', ...(QUERIES[name] ?? []).map((query) => `?${query}`)].flatMap((query) => [
      `${VIEWS.slice(1)}${name}${query}`,
      `${name === 'overview' ? '' : name}${query}`,
    ]),
  );
}

/** Undefined if the answer cannot be measured: a page that requires signing in, or something that does not exist. */
async function ask(base: string, path: string): Promise<string | undefined> {
  const headers = path.startsWith('api/') ? { authorization: `Bearer ${BENCH_TOKEN}` } : undefined;
  const answer = await fetch(new URL(path, base), { redirect: 'manual', ...(headers && { headers }) });
  const text = await answer.text();
  return answer.status === 200 ? text : undefined;
}

/** https://docs.kernel.org/scheduler/sched-stats.html: the first figure is the time on a CPU, in nanoseconds. */
async function cpuMs(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8').catch(() => '0')),
  );
  return stats.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e6, 0);
}

/** `sources=2000` on the command line, after the name of the bench. */
function givenSizes(): Partial<typeof SIZES> {
  const given = process.argv.slice(3).flatMap((word) => {
    const [, name, value] = /^(\w+)=(\d+)$/.exec(word) ?? [];
    return name === undefined || !(name in SIZES) ? [] : [[name, Number(value)] as const];
  });
  return Object.fromEntries(given);
}
