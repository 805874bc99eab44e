import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Content, startManySites } from '../test/support/many-sites.ts';
import { sitemapOf } from '../test/torture/hub-pages.ts';
import { startHub, writeHubConfig } from '../test/torture/hub-process.ts';
import type { BenchResult, FigureResult } from './harness.ts';
import { until } from './hub-processes.ts';

const CHANGES = 50;
const INTERVAL_MS = 1000;
const PAGES = 5;

/** The delay from an edit at the origin to its event in the served feed, compared with the polling interval. */
export async function bench(): Promise<BenchResult[]> {
  return [await measure('page'), await measure('site')];
}

async function measure(kind: 'page' | 'site'): Promise<FigureResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-delay-'));
  await using web = await startManySites(1);
  const [host] = web.hosts;
  if (host === undefined) throw new Error('There is no host.');
  const { content, url } = host;
  for (let page = 0; page < PAGES; page += 1) writePage(content, page, 0);
  content.put('/sitemap.xml', sitemapOf(Array.from({ length: PAGES }, (_, page) => new URL(pathOf(page), url).href)));
  const where = kind === 'site' ? { url } : { urls: [url] };
  const sources = [{ id: 'origin', kind, ...where, intervalSeconds: INTERVAL_MS / 1000 }];
  writeHubConfig(folder, { cooldownMs: 20, sources });
  await using hub = startHub({ folder });
  const feed = new URL('ai-changes.ndjson', await hub.url);
  const countEvents = async () => {
    const response = await fetch(feed);
    const text = await response.text();
    return response.status === 200 ? text.split('\n').length - 1 : 0;
  };
  const pages = kind === 'site' ? PAGES : 1;
  await until(async () => (await countEvents()) === pages);

  const delays: number[] = [];
  for (let change = 1; change <= CHANGES; change += 1) {
    // At any moment of the interval, not just after the last look.
    await pause(Math.random() * INTERVAL_MS);
    writePage(content, change % pages, change);
    const editedAt = performance.now();
    while ((await countEvents()) < pages + change) await pause(2);
    delays.push(performance.now() - editedAt);
  }
  await hub.stop();
  await rm(folder, { recursive: true });
  const sorted = delays.toSorted((a, b) => a - b).map(Math.round);
  const ours = { medianMs: sorted[Math.floor(CHANGES / 2)] ?? Number.NaN, longestMs: sorted.at(-1) ?? Number.NaN };
  const peer = { medianMs: INTERVAL_MS / 2, longestMs: INTERVAL_MS };
  const peerName = 'waiting for the next look alone';
  return { name: `hub-delay-${kind}`, by: 'figures', ours, peer, peerName, goal: 'none', reached: true };
}

function pathOf(page: number): string {
  return page === 0 ? '/' : `/page-${page}.html`;
}

function writePage(content: Content, page: number, edition: number): void {
  const sections = Array.from(
    { length: 5 },
    (_, part) =>
      `<h2 id="part-${part}">Part ${part}</h2><p>It says this${part === 2 ? `, edition ${edition}` : ''}.</p>`,
  );
  content.put(
    pathOf(page),
    `<!doctype html><title>Page ${page}</title><main><h1>Page ${page}</h1>${sections.join('')}</main>`,
  );
}
