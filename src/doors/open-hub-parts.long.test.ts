import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageOf } from '../../test/support/live-site.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { type HubSettings, type RunningHub, startHub } from './hub.ts';

const DOCS = { id: 'docs', kind: 'folder' as const, path: './site', site: 'https://docs.example/', intervalSeconds: 1 };

async function jsonOf(hub: RunningHub, path: string) {
  return await (await fetch(new URL(path, hub.url))).json();
}

/** The health of a source once it was checked after `sinceMs`. */
async function checkedSince(hub: RunningHub, id: string, sinceMs: number) {
  for (;;) {
    const { sources } = await jsonOf(hub, 'state/health.json');
    if (Date.parse(sources[id].last_check_at) >= sinceMs) return sources[id];
  }
}

test('a source that leaves the config and comes back gives no change twice, and is silent meanwhile', async () => {
  using folder = temporaryFolder();
  folder.write({ 'site/index.html': pageOf('Home') });
  const start = (...sources: NonNullable<HubSettings['sources']>) =>
    startHub({ port: 0, data: './data', sources }, { base: folder.path });
  const changes = async (hub: RunningHub) => (await jsonOf(hub, 'api/v1/changes')).changes.length;
  let known = 0;
  {
    await using hub = await start(DOCS);
    await checkedSince(hub, 'docs', 0);
    known = await changes(hub);
    expect(known).toBeGreaterThan(0);
  }
  {
    await using hub = await start();
    expect(hub.sources()).toBe(0);
    expect((await jsonOf(hub, 'state/health.json')).sources).toEqual({});
  }
  await using hub = await start(DOCS);
  expect(await checkedSince(hub, 'docs', Date.now())).toMatchObject({ status: 'ok', changed: false });
  expect(await changes(hub)).toBe(known);
});

test('a hub starts where nothing can be kept of hosts, and says so', async () => {
  using folder = temporaryFolder();
  folder.write({ 'site/index.html': pageOf('Home') });
  const crawl = join(folder.path, 'data', 'cache', 'crawl.db');
  mkdirSync(crawl, { recursive: true });
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const logger = { debug() {}, info() {}, warn: note, error: note };
  await using hub = await startHub({ port: 0, data: './data', sources: [DOCS] }, { base: folder.path, logger });
  expect(await checkedSince(hub, 'docs', 0)).toMatchObject({ status: 'ok' });
  expect(said).toContainEqual(expect.stringContaining('crawl.db cannot be used'));
  rmSync(crawl, { recursive: true });
});
