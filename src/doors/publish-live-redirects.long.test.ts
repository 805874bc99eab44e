import { expect, test } from 'vitest';
import { type LiveSite, linking, pageOf, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { decodeEvents } from '../codecs/aicf/decode.ts';
import { type PublishOptions, publish } from './publish.ts';

const FEED = 'ai-changes.ndjson';

const redirect = (location: string, status: number) => ({ status, headers: { location } });
const publishLive = (site: LiveSite, out: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ url: site.url, out: out.path, allowPrivate: true, force: true, cooldownMs: 0, ...options });
const told = (out: TestFolder, base: string) =>
  decodeEvents(out.read(FEED)).events.map(({ action, url }) => `${action} ${url.replace(base, '/')}`);
const list = (site: LiveSite, ...paths: readonly string[]) => site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });

async function siteOf(...paths: readonly string[]): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  list(site, ...paths);
  return site;
}

test.each([302, 303, 307])(
  'a page that leads to a page of the site by %i stays, and that is no new page',
  async (status) => {
    for (const withSitemap of [true, false]) {
      await using site = await siteOf('', 'a', 'b');
      if (!withSitemap) {
        site.remove('/sitemap.xml');
        site.put({ '/': linking('Home', '/a', '/b') });
      }
      using out = temporaryFolder();
      await publishLive(site, out);
      const feed = out.read(FEED);
      site.put({ '/a': redirect('/login', status), '/login': linking('Log in', '/help'), '/help': pageOf('Help') });
      for (const allowDeletes of [false, true]) {
        const report = await publishLive(site, out, { allowDeletes });
        const message = `It leads to ${site.url}login for now, and stays as it was.`;
        expect(report).toMatchObject({ pages: 3, changes: [], failed: [{ file: `${site.url}a`, message }] });
      }
      site.put({ '/a': pageOf('Page a') });
      expect(await publishLive(site, out)).toMatchObject({ changes: [], unchanged: 3, failed: [] });
      expect(out.read(FEED)).toBe(feed);
    }
  },
);

test.each([
  [[301], 'delete /a'],
  [[308], 'delete /a'],
  [[301, 308], 'delete /a'],
  [[301, 302], undefined],
  [[307, 301], undefined],
])('redirects %j on the way to a new page: one that is temporary proves nothing', async (statuses, deletion) => {
  await using site = await siteOf('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  statuses.forEach((status, hop) => {
    site.put({ [hop === 0 ? '/a' : `/hop${hop}`]: redirect(hop === statuses.length - 1 ? '/new' : '/hop1', status) });
  });
  site.put({ '/new': pageOf('New') });
  const report = await publishLive(site, out);
  expect(report.failed).toHaveLength(deletion === undefined ? 1 : 0);
  expect(told(out, site.url).slice(3)).toEqual(deletion === undefined ? [] : ['create /new', deletion]);
});

test('where a page leads for now is a page of its own if the site names it', async () => {
  await using site = await siteOf('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({ '/a': redirect('/c', 302), '/c': pageOf('Page c'), '/b': pageOf('Page b', 'It says that.') });
  list(site, '', 'a', 'b', 'c');
  expect(await publishLive(site, out)).toMatchObject({ created: 1, updated: 1, deleted: 0, failed: [{}] });
  expect(told(out, site.url).slice(3)).toEqual(['update /b', 'create /c']);
  // What the sitemap no longer lists is gone, wherever it leads.
  list(site, '', 'b', 'c');
  expect(await publishLive(site, out)).toMatchObject({ deleted: 1, failed: [] });
});

test.each([
  ['first', ['new', '', 'a', 'b']],
  ['last', ['', 'a', 'b', 'new']],
])('a wall before known pages and a new one, which is read %s, is no new page', async (_, order) => {
  await using site = await siteOf('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({ '/a': redirect('/login', 302), '/new': redirect('/login', 302), '/login': pageOf('Log in') });
  list(site, ...order);
  expect(await publishLive(site, out)).toMatchObject({ pages: 3, changes: [], failed: [{ file: `${site.url}a` }] });
});

test('a page that names another as its own address, which leads elsewhere for now, stays', async () => {
  await using site = await siteOf('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({
    '/a': pageOf('Page a').replace('</head>', '<link rel="canonical" href="/main"></head>'),
    '/main': redirect('/login', 302),
    '/login': pageOf('Log in'),
  });
  expect(await publishLive(site, out)).toMatchObject({ pages: 3, changes: [], failed: [{ file: `${site.url}a` }] });
});
