import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import {
  type LiveSite,
  linking,
  pageOf,
  type Served,
  sitemapOf,
  startLiveSite,
} from '../../../test/support/live-site.ts';
import type { SiteConfig } from '../config/source-config.ts';

const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);
const list = (site: LiveSite, paths: readonly string[], base = site.url) =>
  site.put({ '/sitemap.xml': sitemapOf(base, paths) });
const configOf = (url: string, extra: Partial<SiteConfig> = {}): SiteConfig => ({
  id: 'live',
  kind: 'site',
  url,
  ...extra,
});

async function siteOf(...paths: readonly string[]): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  list(site, paths);
  return site;
}

/** An address where nobody listens: a port that no server of another test can be given. */
const DEAD_ADDRESS = 'http://127.0.0.1:9/';

test('a site is read, unchanged it gives no commit, an edit is one update, and what its host says is gone is gone', async () => {
  await using site = await siteOf('', 'a', 'b');
  await using lab = await openVisitLab(configOf(site.url));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 3, pages: 3, unread: 0 });
  expect(lab.told(site.url)).toEqual(['create /', 'create /a', 'create /b']);
  lab.takeCommits();
  site.takeRequests();

  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 3 });
  expect(lab.takeCommits()).toEqual([]);
  expect(site.takeRequests().filter((request) => /^\d+ \/(?:a|b)?$/.test(request))).toEqual([
    '304 /',
    '304 /a',
    '304 /b',
  ]);

  site.put({ '/a': pageOf('Page a', 'It says that.') });
  site.remove('/b');
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 3 });
  lab.advance(2000);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 2 });
  expect(lab.told(site.url)).toEqual(['update /a#one', 'delete /b']);
  expect(await lab.visit()).toMatchObject({ changes: 0 });
});

test('a visit says how many pages are read, of how many that are known of', async () => {
  await using site = await siteOf('', 'a', 'b');
  await using lab = await openVisitLab(configOf(site.url));
  const told: string[] = [];
  await lab.visit({ onProgress: (done, total) => told.push(`${done} of ${total}`) });
  expect(told.at(-1)).toBe('3 of 3');
  expect(told).toContain('1 of 3');
});

test('a site without a sitemap is read by its links, and unchanged gives no commit', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', 'a', 'dead'),
    '/a': linking('A', 'b'),
    '/b': pageOf('B'),
  });
  await using lab = await openVisitLab(configOf(site.url));
  expect(await lab.visit()).toMatchObject({ changes: 3, pages: 3 });
  lab.takeCommits();
  expect(await lab.visit()).toMatchObject({ changes: 0, pages: 3 });
  expect(lab.takeCommits()).toEqual([]);
  expect(site.takeRequests().filter((request) => request.startsWith('304'))).toHaveLength(3);
});

const FAILURES: readonly (readonly [string, Served, object])[] = [
  ['500', { status: 500 }, { code: 'PageStatusError', httpStatus: 500 }],
  ['503', { status: 503 }, { code: 'PageStatusError', httpStatus: 503 }],
  ['403', { status: 403 }, { code: 'AccessDeniedError', httpStatus: 403 }],
  [
    'cut',
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'content-length': 1000 })
        .write('<p>half', () => response.destroy()),
    { code: 'TruncatedBodyError' },
  ],
  ['reset', (response) => void response.socket?.destroy(), { code: 'ConnectionError' }],
  ['empty', '', { code: 'NotAPageError' }],
  ['without text', '<!doctype html><div id=app></div><script>draw()</script>', { code: 'SourceUnreadError' }],
  [
    'a login',
    '<!doctype html><title>Log in</title><main><h1>Log in</h1><input type=password></main>',
    { code: 'SourceUnreadError' },
  ],
  ['a redirect to a login', { status: 302, headers: { location: '/login' } }, { code: 'SourceUnreadError' }],
];

test.each(FAILURES)('a site that answers with %s fails and changes nothing', async (_, answer, error) => {
  await using site = await siteOf('', 'a', 'b', 'c');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  lab.takeCommits();
  for (const path of ['/', '/a', '/b', '/c']) site.put({ [path]: answer });
  site.put({ '/login': pageOf('Log in') });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error });
  expect(lab.takeCommits()).toEqual([]);

  lab.advance(10 * 60_000);
  for (const path of ['', 'a', 'b', 'c']) site.put({ [`/${path}`]: pageOf(`Page ${path}`) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4, unread: 0 });
});

test('a site that is down from the start fails with what the network said', async () => {
  await using lab = await openVisitLab(configOf(DEAD_ADDRESS));
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'ConnectionError' } });
});

test('a site of which some pages fail is read, and says how many', async () => {
  await using site = await siteOf('', 'a', 'b');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  site.put({ '/a': { status: 500 }, '/b': pageOf('Page b', 'It says that.') });
  lab.told(site.url);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 3, unread: 1 });
  expect(lab.told(site.url)).toEqual(['update /b#one']);
});

test('a host that asks for peace fails fast', async () => {
  await using site = await siteOf('', 'a');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  site.put({
    '/': { status: 429, headers: { 'retry-after': '100' } },
    '/sitemap.xml': { status: 429, headers: { 'retry-after': '100' } },
  });
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: expect.stringMatching(/Page|Host/) } });
  site.takeRequests();
  const again = await lab.visit();
  expect(again).toMatchObject({ is: 'failed', error: { code: 'HostPausedError' } });
  expect(again.is === 'failed' && again.retryAfterMs).toBeGreaterThan(80_000);
  expect(site.takeRequests()).toEqual([]);
});

test('the breaker stops when much vanishes, and can be told', async () => {
  await using site = await siteOf(...names(20));
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  lab.takeCommits();
  list(site, names(9));
  const stopped = await lab.visit();
  expect(stopped).toMatchObject({ is: 'failed', error: { code: 'SafetyStopError' }, changes: 0 });
  expect(stopped.is === 'failed' && stopped.error.message).toContain('tidings source resume live --allow-deletes');
  for (const name of names(20)) site.remove(`/${name}`);
  list(site, names(20));
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'SafetyStopError' } });
  expect(lab.takeCommits()).toEqual([]);
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'read', changes: 20, pages: 0 });
});

test('many pages that say the same stop the visit in the words of a hub', async () => {
  await using site = await siteOf(...names(20));
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  for (const name of names(20)) site.put({ [`/${name}`]: pageOf('We are away') });
  const stopped = await lab.visit();
  expect(stopped).toMatchObject({ is: 'failed', error: { code: 'SafetyStopError' } });
  expect(stopped.is === 'failed' && stopped.error.message).toContain('tidings source resume live --allow-deletes');
});

test('pages outside the filter are neither asked for nor followed, and those from before stay without a word', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', '/docs/a', '/blog/c'),
    '/docs/a': linking('A', '/docs/b', '/blog/d'),
    '/docs/b': pageOf('B'),
    '/blog/c': linking('C', '/docs/hidden'),
    '/docs/hidden': pageOf('Hidden'),
  });
  await using lab = await openVisitLab(configOf(site.url, { include: ['/docs/'] }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2, pages: 2 });
  expect(lab.told(site.url)).toEqual(['create /docs/a', 'create /docs/b']);
  expect(site.takeRequests().join()).not.toContain('/blog');
  lab.takeCommits();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.takeCommits()).toEqual([]);

  list(site, ['', 'docs/a', 'docs/b', 'blog/c']);
  lab.configure(configOf(site.url, { exclude: ['/docs/b', '/$'] }));
  site.remove('/docs/b');
  site.takeRequests();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 2 });
  expect(lab.told(site.url)).toEqual(['create /blog/c']);
  const asked = site.takeRequests().map((request) => request.split(' ')[1]);
  expect(asked).not.toContain('/docs/b');
  expect(asked).not.toContain('/');
  expect([...(await lab.store.pagesOf('live')).pages.keys()]).toContain(`${site.url}docs/b`);
});

test('a page that is missing for a moment is not gone', async () => {
  await using site = await siteOf('', 'a');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  lab.takeCommits();
  let asked = 0;
  site.put({
    '/a': (response) => {
      asked += 1;
      if (asked === 1) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf('Page a'));
    },
  });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 2, unread: 0 });
  expect(asked).toBe(2);
});

test('a host that wants to be asked slowly is read to its end', async () => {
  await using site = await siteOf('', 'a', 'b');
  site.put({ '/robots.txt': 'User-agent: *\nCrawl-delay: 40\n' });
  await using lab = await openVisitLab(configOf(site.url));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 3, unread: 0 });
  // Somebody else may have asked it just now.
  lab.advance(60_000);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, unread: 0 });
});

test('a robots.txt that cannot be read keeps us away for as long as it says', async () => {
  await using site = await siteOf('', 'a');
  site.put({ '/robots.txt': { status: 500 } });
  await using lab = await openVisitLab(configOf(site.url));
  const kept = await lab.visit();
  expect(kept).toMatchObject({ is: 'failed', error: { code: 'RobotsDeniedError', httpStatus: 500 }, isSpared: true });
  expect(kept.is === 'failed' && kept.retryAfterMs).toBeGreaterThan(60_000);
  expect(site.takeRequests()).toHaveLength(1);
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { httpStatus: 500 } });
  expect(site.takeRequests()).toEqual([]);
});

clause('DD-E8', 'a host that asks for peace by its sitemap fails with what it answered', async () => {
  await using site = await siteOf('', 'a');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  site.put({ '/': { status: 503 }, '/sitemap.xml': { status: 503 } });
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'PageStatusError', httpStatus: 503 } });
});

test('a site that forbids everything fails with that, and one that opens is read', async () => {
  await using site = await siteOf('', 'a');
  site.put({ '/robots.txt': 'User-agent: *\nDisallow: /\n' });
  await using lab = await openVisitLab(configOf(site.url));
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'RobotsDeniedError' } });
});
