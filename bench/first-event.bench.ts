import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageOf, sitemapOf, startLiveSite } from '../test/support/live-site.ts';
import type { BenchResult } from './harness.ts';

const PAGES = 50;
const ROUNDS = 5;
const MAIN = join('dist', 'cli', 'main.js');
/** The pause between two pages of a public host, unless robots.txt asks for more. */
const PAUSE_MS = 2000;
/** Requests that wait for their turn: pages and sitemaps. */
const IN_TURN = / \/(?:p\d+|sitemap\S*)$/;

interface Run {
  /** From the start of the process to the first line on stdout. */
  readonly firstMs: number;
  readonly wholeMs: number;
  /** Until the first line. */
  readonly requestsToFirst: number;
  readonly requests: readonly string[];
  readonly lines: readonly string[];
}

/**
 * A new site of 50 pages without a feed: the time from the start of the process to the first line of output, and, after one edit, to the line about the changed
 * section. On this machine there are no pauses; on the web there are 2 s between two pages, which are shown separately.
 */
export async function bench(): Promise<BenchResult[]> {
  const runs: { readonly first: Run; readonly edited: Run }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) runs.push(await measure());
  const [, ...counted] = runs;
  const median = (pick: (run: (typeof runs)[number]) => number) =>
    counted.map(pick).sort((a, b) => a - b)[Math.floor(counted.length / 2)] ?? 0;
  const pauses = (requests: readonly string[]) => Math.max(0, requests.filter((path) => IN_TURN.test(path)).length - 1);
  const [sample] = counted;
  return [
    {
      name: 'first-event',
      by: 'figures',
      ours: {
        'first page (s)': seconds(median(({ first }) => first.firstMs)),
        'requests to it': median(({ first }) => first.requestsToFirst),
        'all pages (s)': seconds(median(({ first }) => first.wholeMs)),
        'requests for all': sample?.first.requests.length ?? 0,
        'edited section (s)': seconds(median(({ edited }) => edited.firstMs)),
        'requests to that': median(({ edited }) => edited.requestsToFirst),
      },
      peer: {
        'first page (s)': seconds(BATCH_MS),
        'all pages (s)': seconds(pauses(sample?.first.requests ?? []) * PAUSE_MS),
        'edited section (s)': seconds(pauses(sample?.edited.requests ?? []) * PAUSE_MS),
      },
      peerName: 'polite pauses on the web, on top',
      goal: 'none: it is the first of its kind',
      reached: runs.every(({ edited }) => edited.lines.length === 1 && edited.lines[0]?.includes('"anchor":"one"')),
    },
  ];
}

/** A first look is reported in batches of 50 pages or 10 s. */
const BATCH_MS = 10_000;

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}

async function measure(): Promise<{ readonly first: Run; readonly edited: Run }> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-first-'));
  const paths = Array.from({ length: PAGES }, (_, number) => `p${number}`);
  await using site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  const follow = () =>
    run(site, ['follow', site.url, '--once', '--state', join(folder, 'state.db'), '--cache', join(folder, 'cache')]);
  try {
    const first = await follow();
    if (first.lines.length !== PAGES) throw new Error(`Not what was to be measured: ${first.lines.length} lines.`);
    site.put({ '/p25': pageOf('Page p25', 'It says something else now.') });
    return { first, edited: await follow() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(site: { takeRequests(): string[] }, args: readonly string[]): Promise<Run> {
  site.takeRequests();
  const requests: string[] = [];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args, '--allow-private', '--cooldown', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let first: { readonly ms: number; readonly requests: number } | undefined;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    requests.push(...site.takeRequests());
    first ??= { ms: performance.now() - startedMs, requests: requests.length };
    output += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const wholeMs = performance.now() - startedMs;
  requests.push(...site.takeRequests());
  if (code !== 0 || first === undefined) throw new Error(`It ended with ${String(code)}.`);
  const lines = output.trimEnd().split('\n');
  return { firstMs: first.ms, wholeMs, requestsToFirst: first.requests, requests, lines };
}
