import { expect, test } from 'vitest';
import { type LiveSite, linking, pageOf, type Served, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { steadyFiles } from '../../test/support/steady-files.ts';
import { type PublishOptions, publish } from './publish.ts';

const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);
const publishLive = (site: LiveSite, out: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ url: site.url, out: out.path, allowPrivate: true, force: true, cooldownMs: 0, ...options });
const asked = (site: LiveSite) => site.takeRequests().filter((request) => / \/p\d+$/.test(request));

async function siteOf(...paths: readonly string[]): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  return site;
}

function breakPages(site: LiveSite, paths: readonly string[], served: Served = { status: 500 }): void {
  for (const path of paths) site.put({ [`/${path}`]: served });
}

test('pages behind five that are broken are read', async () => {
  await using site = await siteOf(...names(12));
  using out = temporaryFolder();
  await publishLive(site, out);
  breakPages(site, names(5));
  site.put({ '/p8': pageOf('Page p8', 'It says that.') });
  site.takeRequests();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({ pages: 12, updated: 1, deleted: 0 });
  expect(report.failed.map(({ file }) => file)).toEqual(names(5).map((name) => site.url + name));
  const requests = asked(site);
  expect(requests).toHaveLength(12);
  expect(requests.filter((request) => request.startsWith('304'))).toHaveLength(6);
});

test('pages behind five that are broken are found by links, too', async () => {
  await using site = await startLiveSite({ '/': linking('Home', ...names(12)) });
  breakPages(site, names(5));
  for (const name of names(12).slice(5)) site.put({ [`/${name}`]: pageOf(`Page ${name}`) });
  site.put({ '/p11': linking('Page p11', 'p12'), '/p12': pageOf('Page p12') });
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({ created: 9 });
  expect(report.failed).toHaveLength(5);
});

test.each([
  ['the first 150', (number: number) => number < 150],
  ['the last 150', (number: number) => number >= 50],
  ['all but 50 in the middle', (number: number) => number < 75 || number >= 125],
])('of 200 pages %s are broken: the others are read, and few of those are asked for', async (_, isBroken) => {
  const broken = names(200).filter((_name, number) => isBroken(number));
  await using site = await siteOf(...names(200));
  breakPages(site, broken, { status: 502 });
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({ created: 50 });
  expect(report.failed).toHaveLength(150);
  expect(asked(site).filter((request) => request.startsWith('502')).length).toBeLessThanOrEqual(25);
});

test('broken pages that are everywhere do not make it ask for all', async () => {
  await using site = await siteOf(...names(1000));
  breakPages(
    site,
    names(1000).filter((_, number) => number % 10 !== 0),
  );
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(report.created + report.failed.length).toBe(1000);
  expect(asked(site).filter((request) => request.startsWith('500')).length).toBeLessThan(400);
});

test.each<readonly [string, Served, number]>([
  ['500', { status: 500 }, 8],
  [
    'a cut body',
    (response) => response.writeHead(200, { 'content-length': '99' }).write('<p>', () => response.destroy()),
    8,
  ],
  ['a reset', (response) => response.destroy(), 5],
  ['silence', () => {}, 5],
  ['503', { status: 503 }, 1],
  ['429', { status: 429 }, 1],
])('a site that answers with %s everywhere is asked for few pages, and all are named', async (_, served, count) => {
  await using site = await siteOf(...names(30));
  using out = temporaryFolder();
  await publishLive(site, out);
  const before = steadyFiles(out);
  breakPages(site, names(30), served);
  site.takeRequests();
  const report = await publishLive(site, out, { timeoutMs: 200 });
  expect(report).toMatchObject({ pages: 30, changes: [] });
  expect(report.failed).toHaveLength(30);
  expect(asked(site)).toHaveLength(count);
  expect(steadyFiles(out)).toEqual(before);
});

test.each<readonly [string, Served]>([
  ['resets', (response) => response.destroy()],
  ['asks for peace', { status: 503, headers: { 'retry-after': '600' } }],
])('a site that %s while it is probed is left at once', async (_, served) => {
  await using site = await siteOf(...names(30));
  breakPages(site, names(30));
  breakPages(site, names(30).slice(5), served);
  using out = temporaryFolder();
  expect((await publishLive(site, out)).failed).toHaveLength(30);
  expect(asked(site)).toHaveLength(6);
});
