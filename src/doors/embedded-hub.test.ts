import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { CursorLostError } from '../errors/cursor-lost-error.ts';
import type { ChangeStream } from '../stream/change-stream.ts';
import { type EmbeddedHub, openEmbeddedHub } from './embedded-hub.ts';

const NEVER = new AbortController().signal;

function pageOf(price: string): string {
  return `<!doctype html><html lang="en"><head><title>Prices</title></head><body><main><h1>Prices</h1><p>What an account costs in a year.</p>
<h2 id="tiers">Tiers</h2><p>${price}</p><h2 id="terms">Terms</h2><p>Pay when you like, in any coin that we know.</p></main></body></html>`;
}

async function startSite() {
  const site = await startLiveSite({ '/prices': pageOf('Ten coins.') });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['prices']) });
  return site;
}

function openHub(data: string, url: string): Promise<EmbeddedHub> {
  return openEmbeddedHub({ data, sources: [{ id: 'shop', kind: 'site', url }], allowPrivate: true, cooldownMs: 0 });
}

async function boundaries(stream: ChangeStream, after?: string): Promise<readonly string[]> {
  const { changes } = await stream.changes({ after }, NEVER);
  return changes.map(({ action, boundary }) => `${action} ${new URL(boundary).pathname}${new URL(boundary).hash}`);
}

test('each look finds what changed, and a reader goes on behind its cursor, also after a restart', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  let cursor: string | undefined;
  {
    await using hub = await openHub(folder.path, site.url);
    expect(site.takeRequests(), 'nobody is asked before the first look').toEqual([]);
    expect(await hub.look(NEVER)).toEqual([{ source: 'shop', url: site.url, is: 'ok' }]);
    expect(await boundaries(hub)).toEqual(['create /prices']);
    cursor = (await hub.changes({}, NEVER)).next ?? undefined;
  }
  site.put({ '/prices': pageOf('Twelve coins.') });
  await using hub = await openHub(folder.path, site.url);
  await hub.look(NEVER);
  expect(await boundaries(hub, cursor)).toEqual(['update /prices#tiers']);
  await hub.look(NEVER);
  const { next } = await hub.changes({ after: cursor }, NEVER);
  expect(await hub.changes({ after: next ?? '' }, NEVER)).toEqual({ changes: [], next });
});

test('a source that cannot be read is said to be so, and none of its pages is gone', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  await using hub = await openHub(folder.path, site.url);
  await hub.look(NEVER);
  site.put({ '/prices': { status: 500 }, '/sitemap.xml': { status: 500 } });
  expect(await hub.look(NEVER)).toMatchObject([
    { source: 'shop', is: 'failed', message: expect.stringContaining('500') },
  ]);
  expect(await boundaries(hub)).toEqual(['create /prices']);
  expect(await hub.sources(NEVER)).toMatchObject([{ id: 'shop', url: site.url, kind: 'site', status: 'error' }]);
});

test('a cursor that the log does not have is refused, not taken for its start', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  await using hub = await openHub(folder.path, site.url);
  await expect(hub.changes({ after: '01JZZZZZZZZZZZZZZZZZZZZZZZ' }, NEVER)).rejects.toThrow(CursorLostError);
});

test('who waits for news is woken by a change, and reads the page that the look has read', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  await using hub = await openHub(folder.path, site.url);
  await hub.news(60_000, NEVER);
  expect(await boundaries(hub)).toEqual(['create /prices']);
  site.takeRequests();
  const { text } = await hub.readPage(new URL('prices', site.url), NEVER);
  expect(text).toContain('Ten coins');
  expect(site.takeRequests()).toEqual([]);
  await hub.readPage(new URL('prices', site.url), NEVER);
  await expect.poll(() => site.takeRequests()).toEqual(['200 /prices']);
});

test('a second hub on the same folder is refused', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  await using hub = await openHub(folder.path, site.url);
  expect(await hub.sources(NEVER)).toHaveLength(1);
  await expect(openHub(folder.path, site.url)).rejects.toThrow(expect.objectContaining({ name: 'LogLockedError' }));
});

test('a look at many sources leaves nothing behind at its signal', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  const sources = Array.from({ length: 12 }, (_, at) => ({
    id: `s${at}`,
    kind: 'page',
    urls: [`${site.url}prices?${at}`],
  }));
  await using hub = await openEmbeddedHub({ data: folder.path, sources, allowPrivate: true, cooldownMs: 0 });
  const { signal } = new AbortController();
  const looking = hub.look(signal);
  expect(getEventListeners(signal, 'abort').length).toBeLessThan(sources.length);
  await looking;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
