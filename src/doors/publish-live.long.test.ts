import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type LiveSite, linking, pageOf, type Served, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { steadyFiles } from '../../test/support/steady-files.ts';
import { decodeEvents } from '../codecs/aicf/decode.ts';
import { type PublishOptions, publish } from './publish.ts';

const FEED = 'ai-changes.ndjson';
const PAGES = '.well-known/tidings/pages.ndjson';

const publishLive = (site: LiveSite, out: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ url: site.url, out: out.path, allowPrivate: true, force: true, cooldownMs: 0, ...options });
const told = (out: TestFolder, site: LiveSite) =>
  decodeEvents(out.read(FEED)).events.map(({ action, url, anchor }) =>
    [action, url.replace(site.url, '/') + (anchor === undefined ? '' : `#${anchor}`)].join(' '),
  );

async function listedSite(...names: readonly string[]): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(names.map((name) => [`/${name}`, pageOf(`Page ${name}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, names) });
  return site;
}
const relist = (site: LiveSite, ...names: readonly string[]) =>
  site.put({ '/sitemap.xml': sitemapOf(site.url, names) });

test('a site with a sitemap: edits, additions and deletions over runs', async () => {
  await using site = await listedSite('', 'a', 'b');
  using out = temporaryFolder();
  expect(await publishLive(site, out)).toMatchObject({ pages: 3, created: 3, failed: [], skipped: [] });
  expect(told(out, site)).toEqual(['create /', 'create /a', 'create /b']);

  site.put({ '/a': pageOf('Page a', 'It says that.'), '/c': pageOf('Page c') });
  relist(site, '', 'a', 'c');
  expect(await publishLive(site, out)).toMatchObject({ created: 1, updated: 1, deleted: 1, unchanged: 1, failed: [] });
  expect(told(out, site).slice(3)).toEqual(['update /a#one', 'create /c', 'delete /b']);
});

test('two runs on a site that did not change: every page is asked for conditionally, no byte changes', async () => {
  await using site = await listedSite('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  const before = steadyFiles(out);
  site.takeRequests();
  expect(await publishLive(site, out)).toMatchObject({ changes: [], unchanged: 3, failed: [] });
  expect(steadyFiles(out)).toEqual(before);
  expect(site.takeRequests().filter((request) => request.startsWith('304'))).toEqual(['304 /', '304 /a', '304 /b']);
});

test('pages of a site without a sitemap are found by its links', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', 'a', '/b/', '#top', 'mailto:a@b.example', '/logo.png', '/a?print=1', 'https://other.example/'),
    '/a': linking('A', '/', './b/c', '/dead', '/a#one'),
    '/b/': linking('B'),
    '/b/c': linking('C', '../a'),
    '/unlinked': linking('D'),
  });
  using out = temporaryFolder();
  expect(await publishLive(site, out)).toMatchObject({ created: 4, failed: [] });
  expect(told(out, site)).toEqual(['create /', 'create /a', 'create /b/', 'create /b/c']);
  const asked = site.takeRequests().map((request) => request.split(' ')[1]);
  expect(asked).not.toContain('/logo.png');
  expect(asked).not.toContain('/a?print=1');

  const before = steadyFiles(out);
  expect(await publishLive(site, out)).toMatchObject({ changes: [], unchanged: 4 });
  expect(steadyFiles(out)).toEqual(before);
  expect(site.takeRequests().filter((request) => request.startsWith('304'))).toHaveLength(4);

  // The page that links to it did not change, and says nothing of its links any more.
  site.put({ '/dead': pageOf('Alive') });
  expect(await publishLive(site, out)).toMatchObject({ created: 1 });
  site.put({ '/': linking('Home', '/e'), '/e': pageOf('E') });
  expect(await publishLive(site, out)).toMatchObject({ created: 1, deleted: 0 });
  // No link leads to /b/ now, but it is there.
  expect(told(out, site).slice(4)).toEqual(['create /dead', 'update /#three', 'create /e']);
  site.remove('/b/');
  expect(await publishLive(site, out)).toMatchObject({ created: 0, deleted: 1, failed: [] });
});

test('nofollow and noindex are respected', async () => {
  const meta = (html: string, content: string) =>
    html.replace('</head>', `<meta name="robots" content="${content}"></head>`);
  await using site = await startLiveSite({
    '/': linking('Home', '/a" rel="external nofollow', '/b', '/c', '/d'),
    '/a': pageOf('A'),
    '/b': meta(linking('B', '/from-b'), 'noindex'),
    '/c': meta(linking('C', '/from-c'), 'index, NoFollow'),
    '/d': (response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'otherbot: index, none' })
        .end(pageOf('D')),
    '/from-b': pageOf('From B'),
    '/from-c': pageOf('From C'),
  });
  using out = temporaryFolder();
  await publishLive(site, out);
  expect(told(out, site)).toEqual(['create /', 'create /c', 'create /d', 'create /from-b']);
});

test('links that are left out are named, and what only counts visitors is no part of a link', async () => {
  const grown = 'docs/docs/docs/docs/';
  const deep = 'abcdefghijklmnopqrstu'.split('').join('/');
  await using site = await startLiveSite({
    '/': linking(
      'Home',
      '/a?utm_source=x&amp;fbclid=1',
      '/a?page=2',
      '/a?page=2&amp;gclid=7',
      grown,
      deep,
      '/x.png?w=1',
    ),
    '/a': linking('A', '/?utm_campaign=x', '/a?page=2', '/b?', '/?q'),
    '/b': linking('B'),
  });
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(told(out, site)).toEqual(['create /', 'create /a', 'create /b']);
  expect(report.failed).toEqual([]);
  const unfollowed = (report.skipped ?? []).filter(({ message }) => message.includes('not followed'));
  expect(unfollowed.map(({ file, message }) => `${file.replace(site.url, '/')} ${message}`)).toEqual([
    '/a?page=2 It has a query: such links are not followed.',
    `/${grown} Its path repeats itself: such links are not followed.`,
    `/${deep} Its path has more than 20 parts: such links are not followed.`,
    '/?q It has a query: such links are not followed.',
  ]);
  const asked = site.takeRequests().map((request) => request.split(' ')[1] ?? '');
  expect(asked.filter((path) => path.includes('?') || path.includes('docs'))).toEqual([]);
});

test('a page that is known is not left out for its query', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', '/show?id=1', '/show?id=2'),
    '/show?id=1': pageOf('One'),
  });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'show?id=1']) });
  using out = temporaryFolder();
  expect(await publishLive(site, out)).toMatchObject({ created: 2, skipped: [] });
  site.put({ '/sitemap.xml': { status: 404 } });
  const { skipped } = await publishLive(site, out);
  expect(skipped?.map(({ file }) => file.replace(site.url, '/'))).toEqual(['/about.html', '/show?id=2']);
});

test('of links without number that are left out, a thousand are named', async () => {
  const days = Array.from({ length: 1500 }, (_, day) => `/calendar?day=${day}`);
  await using site = await startLiveSite({ '/': linking('Home', ...days) });
  using out = temporaryFolder();
  const { skipped } = await publishLive(site, out);
  expect(skipped?.filter(({ file }) => file.includes('?'))).toHaveLength(1001);
  expect(skipped?.at(-1)?.message).toBe('It and more links are not followed, and not named here.');
});

test('sitemaps of sitemaps, packed ones, lists in plain text, and a feed that is none', async () => {
  await using site = await startLiveSite(
    Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`/${name}`, pageOf(name)])),
  );
  const index = (...names: readonly string[]) =>
    `<sitemapindex>${names.map((name) => `<sitemap><loc>${site.url}${name}</loc></sitemap>`).join('')}</sitemapindex>`;
  site.put({
    '/robots.txt': `User-agent: *\nDisallow: /d\nSitemap: ${site.url}index.xml\nSitemap: ${site.url}feed.xml\n`,
    '/index.xml': index('one.xml.gz', 'two.txt', 'nested.xml', 'index.xml'),
    '/nested.xml': index('three.xml', 'index.xml'),
    '/one.xml.gz': gzipSync(sitemapOf(site.url, ['a'])),
    '/two.txt': `${site.url}b\n`,
    '/three.xml': sitemapOf(site.url, ['c', 'd', 'http://169.254.169.254/latest', 'https://other.example/x']),
    '/feed.xml': '<rss version="2.0"><channel/></rss>',
  });
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({ created: 3, failed: [] });
  expect(report.skipped?.map(({ file }) => file.replace(site.url, '/'))).toEqual(['/feed.xml', '/d']);
  expect(told(out, site)).toEqual(['create /a', 'create /b', 'create /c']);
  // A feed beside the sitemaps does not make them doubtful.
  site.put({ '/two.txt': `${site.url}a\n` });
  expect(await publishLive(site, out)).toMatchObject({ deleted: 1, failed: [] });
});

const FAULTS: readonly (readonly [string, Served])[] = [
  ['500', { status: 500 }],
  ['503', { status: 503, headers: { 'retry-after': '1' } }],
  ['a long pause', { status: 503, headers: { 'retry-after': '86400' } }],
  ['401', { status: 401 }],
  ['403', { status: 403 }],
  ['418', { status: 418 }],
  ['a reset', (response) => response.destroy()],
  ['silence', () => {}],
  [
    'a cut body',
    (response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '9999' }).end('<p>x') &&
      response.destroy(),
  ],
  ['another media type', { status: 200, headers: { 'content-type': 'image/png' }, body: 'x' }],
  ['plain text', { status: 200, headers: { 'content-type': 'text/plain' }, body: 'hello' }],
  ['nothing', { status: 200 }],
  ['a page without text', { status: 200, body: '<!doctype html><body><div id="app"></div></body>' }],
  ['noindex', { status: 200, body: '<meta name="robots" content="none"><p>We are away.</p>' }],
  ['a way out of the site', { status: 302, headers: { location: 'http://localhost:1/login' } }],
  ['a way to another page for now', { status: 302, headers: { location: '/a' } }],
  ['a way to a 404 of the site for now', { status: 307, headers: { location: '/none' } }],
  ['a redirect to itself', { status: 302, headers: { location: '/b' } }],
  ['a redirect to what is not there', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
];

test.each(FAULTS)('a known page that answers with %s stays as it was, and that is said', async (_, fault) => {
  for (const withSitemap of [true, false]) {
    await using site = await listedSite('', 'a', 'b', 'c');
    if (!withSitemap) {
      site.remove('/sitemap.xml');
      site.put({ '/': linking('Home', '/a', '/b', '/c') });
    }
    using out = temporaryFolder();
    expect(await publishLive(site, out)).toMatchObject({ created: 4, failed: [] });
    const feed = out.read(FEED);
    const state = out.read(PAGES);
    site.put({ '/b': fault });
    const report = await publishLive(site, out, { timeoutMs: 3000 });
    expect(report).toMatchObject({ pages: 4, changes: [], deleted: 0 });
    expect(report.failed[0]).toMatchObject({ file: `${site.url}b` });
    expect(site.takeRequests().filter((request) => request.endsWith(' /b'))).not.toEqual([]);
    expect(out.read(FEED)).toBe(feed);
    if (withSitemap) expect(out.read(PAGES)).toBe(state);
  }
});

test.each([
  ['404', { status: 404 }],
  ['410', { status: 410 }],
  ['a redirect to a 404 of the site', { status: 301, headers: { location: '/none' } }],
])('a known page that answers with %s is deleted, listed or not', async (_, answer) => {
  await using site = await listedSite('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({ '/b': answer });
  expect(await publishLive(site, out)).toMatchObject({ deleted: 1, failed: [] });
  expect(told(out, site).at(-1)).toBe('delete /b');
});

test('pages that robots.txt forbids from now on stay as they were', async () => {
  await using site = await listedSite('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({ '/robots.txt': 'User-agent: *\nDisallow: /b' });
  site.takeRequests();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({
    changes: [],
    failed: [{ file: `${site.url}b`, message: expect.stringContaining('robots.txt') }],
  });
  expect(site.takeRequests().some((request) => request.endsWith(' /b'))).toBe(false);

  site.put({ '/robots.txt': { status: 500 } });
  expect(await publishLive(site, out)).toMatchObject({ pages: 3, changes: [], failed: [{}, {}, {}, {}] });
});

test.each([
  ['500', { status: 500 }],
  ['an HTML page', { status: 200, body: '<!doctype html><p>We are away.' }],
  ['a cut file', { status: 200, headers: { 'content-type': 'application/xml' }, body: '<urlset><url><loc>http://x' }],
  [
    'half of the index',
    { status: 200, body: '<sitemapindex><sitemap><loc>http://127.0.0.1:1/s.xml</loc></sitemap></sitemapindex>' },
  ],
])('a sitemap that answers with %s: known pages are read, nothing is added or deleted by it', async (_, fault) => {
  await using site = await listedSite('', 'a', 'b');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({
    '/sitemap.xml': fault,
    '/a': pageOf('Page a', 'It says that.'),
    '/': linking('Page ', '/new'),
    '/new': pageOf('New'),
  });
  site.remove('/b');
  const report = await publishLive(site, out);
  expect(told(out, site).slice(3)).toEqual(['update /#three', 'update /a#one', 'delete /b']);
  expect(report.failed).toMatchObject([{ file: `${site.url}sitemap.xml` }]);
});

test('a sitemap that fails at first leaves nothing behind', async () => {
  await using site = await startLiveSite({ '/': pageOf('Home'), '/sitemap.xml': { status: 500 } });
  using out = temporaryFolder();
  expect(await publishLive(site, out)).toMatchObject({ pages: 0, failed: [{ file: `${site.url}sitemap.xml` }] });
  expect(out.fingerprint()).toEqual({});
});
