import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testSurface } from '../../test/support/surface-site.ts';
import { announceEndpoint, terminateFeed } from './surface.ts';
import { drillFeed } from './surface-drill.ts';

const ORDERS = { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;
const SEARCH = { endpointId: 'search', endpoint: '/search', protocol: 'mcp', version: '1' } as const;

async function announced() {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  site.clock += 1000;
  await announceEndpoint(site.target, SEARCH);
  return site;
}

/** All files of the site and its key, by name. */
async function filesOf({ dir, target }: Awaited<ReturnType<typeof testSurface>>): Promise<Record<string, string>> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = [...files, target.key].sort().map(async (file) => [file, await readFile(file, 'base64')] as const);
  return Object.fromEntries(await Promise.all(read));
}

test('readers of the copy end untrusted, and feed, key and did.json stay as they are', async () => {
  const site = await announced();
  const before = await filesOf(site);
  const report = await drillFeed(site.target);
  expect(report).toMatchObject({ site: 'https://api.example/', untrusted: true, unchanged: true });
  expect(report.steps.map(({ ok, seen }) => `${ok} ${seen}`)).toEqual([
    'true trusted, the feed is active, 2 endpoints',
    'true it says terminated',
    'true untrusted, the feed is terminated, 0 endpoints',
    'true 0 of 2 are named',
    'true untrusted, the feed is terminated, 0 endpoints',
    'true it is as it was',
  ]);
  expect(await filesOf(site)).toEqual(before);
  expect((await site.feed()).feedStatus).toBe('active');
});

test('a feed that no reader trusts to begin with proves nothing', async () => {
  const site = await announced();
  await rm(join(site.dir, '.well-known/did.json'));
  const report = await drillFeed(site.target);
  expect(report).toMatchObject({ untrusted: false, unchanged: true });
  expect(report.steps[0]).toMatchObject({ ok: false });
});

test('a feed that was ended already cannot be rehearsed, and a folder without one is refused', async () => {
  const site = await announced();
  await terminateFeed(site.target);
  expect(await drillFeed(site.target)).toMatchObject({ untrusted: false, unchanged: true });
  const empty = await testSurface();
  await expect(drillFeed(empty.target)).rejects.toThrow('holds no feed');
});
