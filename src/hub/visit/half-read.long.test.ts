import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { linking, pageOf, type Served, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { createFileBuiltSite } from '../../io/files/built-site.ts';
import type { SiteConfig } from '../config/source-config.ts';

const pagesOf = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)]));
const configOf = (url: string, extra: Partial<SiteConfig> = {}): SiteConfig => ({
  id: 'live',
  kind: 'site',
  url,
  ...extra,
});

async function listedSite(paths: readonly string[]) {
  const site = await startLiveSite(pagesOf(paths));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  return site;
}

test('a site of which half cannot be read has failed, with what was read', async () => {
  await using site = await listedSite(['', 'a', 'b', 'c']);
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  lab.told(site.url);
  site.put({ '/a': { status: 500 }, '/c': { status: 404 }, '/b': pageOf('Page b', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 4, unread: 1 });
  site.put({ '/c': { status: 500 }, '/b': pageOf('Page b', 'It says more.') });
  const half = await lab.visit();
  expect(half).toMatchObject({ is: 'failed', changes: 1, error: { code: 'HalfReadError' } });
  expect(half.is === 'failed' && half.error.message).toMatch(/^2 of 4 pages could not be read: .*\/a: .*500/);
  expect(lab.told(site.url)).toEqual(['update /b#one', 'update /b#one']);
  site.put(pagesOf(['a', 'c']));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, unread: 0 });
});

test('pages that a sitemap lists and that never could be read count', async () => {
  await using site = await listedSite(['', 'a', 'b', 'c']);
  site.put({ '/b': { status: 500 }, '/c': { status: 500 } });
  await using lab = await openVisitLab(configOf(site.url));
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 2, error: { code: 'HalfReadError' } });
});

test('a site whose last pages are gone and failing is not checked', async () => {
  await using site = await listedSite(['a', 'b', 'c', 'd', 'e']);
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  for (const path of ['a', 'b', 'c', 'd']) site.put({ [`/${path}`]: { status: 500 } });
  site.remove('/e');
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'HalfReadError' } });
});

test('a mirror is asked for a site that is half read, and fails with it', async () => {
  await using site = await listedSite(['', 'a', 'b', 'c']);
  await using mirror = await startLiveSite(pagesOf(['', 'a', 'b', 'c']));
  mirror.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'b', 'c']) });
  await using lab = await openVisitLab(configOf(site.url, { fallbacks: [mirror.url] }));
  await lab.visit();
  site.put({ '/a': { status: 500 }, '/b': { status: 500 } });
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 0, pages: 4 });
  mirror.put({ '/a': { status: 500 }, '/b': { status: 500 } });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'HalfReadError' } });
});

test('of several mirrors the first that can be read is', async () => {
  const paths = ['', 'a', 'b', 'c'];
  await using site = await listedSite(paths);
  await using half = await startLiveSite({ ...pagesOf(['', 'a']), '/b': { status: 500 }, '/c': { status: 500 } });
  await using whole = await startLiveSite(pagesOf(paths));
  for (const mirror of [half, whole]) mirror.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  await using lab = await openVisitLab(configOf(site.url, { fallbacks: [half.url, whole.url] }));
  await lab.visit();
  for (const path of paths) site.put({ [`/${path}`]: { status: 502 } });
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 1, changes: 0, unread: 0 });
});

test('a first reading that is half the site itself and half its mirror tells every page once', async () => {
  const paths = ['', 'a', 'b', 'c'];
  await using site = await listedSite(paths);
  site.put({ '/b': { status: 500 }, '/c': { status: 500 } });
  await using half = await startLiveSite({ ...pagesOf(['b', 'c']), '/': { status: 500 }, '/a': { status: 500 } });
  await using whole = await startLiveSite(pagesOf(paths));
  for (const mirror of [half, whole]) mirror.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  await using lab = await openVisitLab(configOf(site.url, { fallbacks: [half.url, whole.url] }));
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 1, changes: 4, pages: 4 });
  expect(lab.told(site.url).sort()).toEqual(['create /', 'create /a', 'create /b', 'create /c']);
});

test('a limit that the operator set is no failure', async () => {
  await using site = await startLiveSite({ '/': linking('Home', 'a', 'b'), '/a': pageOf('A'), '/b': pageOf('B') });
  await using lab = await openVisitLab(configOf(site.url, { maxPages: 1 }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 1, unread: 1 });
});

test('of single pages, half that cannot be read is a failure, with what was read', async () => {
  await using site = await startLiveSite(pagesOf(['a', 'b', 'c', 'd', 'e']));
  const urls = ['a', 'b', 'c', 'd', 'e'].map((path) => site.url + path);
  await using lab = await openVisitLab({ id: 'terms', kind: 'page', urls });
  await lab.visit();
  lab.told(site.url);
  site.put({ '/a': { status: 500 }, '/b': { status: 500 } });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 5, unread: 2 });
  site.put({ '/c': { status: 500 }, '/e': pageOf('Page e', 'It says that.') });
  const half = await lab.visit();
  expect(half).toMatchObject({ is: 'failed', changes: 1, error: { code: 'HalfReadError' } });
  expect(half.is === 'failed' && half.error.message).toMatch(/^3 of 5 pages could not be read: .*\/a/);
  site.put({ '/d': { status: 500 } });
  site.remove('/e');
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'HalfReadError' } });
  expect(lab.told(site.url)).toEqual(['update /e#one']);
});

test('a folder of which half cannot be read has failed, with what was read', async () => {
  using folder = temporaryFolder();
  folder.write({ 'a.html': pageOf('A'), 'b.html': pageOf('B'), 'c.html': pageOf('C'), 'd.html': pageOf('D') });
  await using lab = await openVisitLab({
    id: 'docs',
    kind: 'folder',
    path: folder.path,
    site: 'https://docs.example/',
  });
  await lab.visit();
  folder.write({ 'a.html': '', 'b.html': '', 'c.html': pageOf('C', 'It says that.') });
  const half = await lab.visit();
  expect(half).toMatchObject({ is: 'failed', changes: 1, error: { code: 'HalfReadError' } });
  expect(half.is === 'failed' && half.error.message).toMatch(/^2 of 4 pages could not be read: .*a\.html: it is empty/);
});

test('pages in a folder that cannot be listed are unread, each of them', async () => {
  using folder = temporaryFolder();
  folder.write({ 'a.html': pageOf('A'), 'in/b.html': pageOf('B'), 'in/c.html': pageOf('C') });
  await using lab = await openVisitLab({
    id: 'docs',
    kind: 'folder',
    path: folder.path,
    site: 'https://docs.example/',
  });
  await lab.visit();
  const failures = [{ file: `${folder.path}/in`, message: 'this folder could not be listed (EACCES).' }];
  const openFolder = (path: string) => ({
    ...createFileBuiltSite(path),
    list: () => ({ paths: ['a.html'], failures }),
  });
  const half = await lab.visit({ openFolder });
  expect(half).toMatchObject({ is: 'failed', changes: 0, error: { code: 'HalfReadError' } });
  expect(half.is === 'failed' && half.error.message).toMatch(/^2 of 3 pages .*EACCES/);
});

const BAD_SITEMAPS: readonly (readonly [string, string | { status: number }])[] = [
  ['answers 500', { status: 500 }],
  ['is not there', { status: 404 }],
  ['answers 403', { status: 403 }],
  ['is a page', pageOf('Welcome')],
  ['is cut off', '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>'],
  ['is empty', ''],
];

test.each(BAD_SITEMAPS)('a sitemap that listed the pages and %s is said, and counts as unread', async (_, answer) => {
  await using site = await listedSite(['', 'a', 'b']);
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  site.put({ '/sitemap.xml': answer });
  const outcome = await lab.visit();
  expect(outcome).toMatchObject({ is: 'read', changes: 0, pages: 3 });
  expect(outcome.is === 'read' && outcome.unread).toBeGreaterThanOrEqual(1);
  expect(outcome.is === 'read' && outcome.notes.join()).toContain('sitemap');
});

async function withNamedSitemap(answer: Served) {
  await using site = await startLiveSite({ '/': linking('Home', 'a'), '/a': pageOf('A') });
  site.put({ '/robots.txt': `Sitemap: ${site.url}map.xml\n`, '/map.xml': answer });
  await using lab = await openVisitLab(configOf(site.url));
  return await lab.visit();
}

test.each(BAD_SITEMAPS.slice(1, 4))(
  'a sitemap that robots.txt names and %s is said, and counts as unread',
  async (_, answer) => {
    const outcome = await withNamedSitemap(answer);
    expect(outcome).toMatchObject({ is: 'read', changes: 2, unread: 1 });
    expect(outcome.is === 'read' && outcome.notes.join()).toContain('map.xml');
  },
);

test.each(BAD_SITEMAPS.slice(4))(
  'a new site whose robots.txt names a sitemap that %s has failed',
  async (_, answer) => {
    const message = expect.stringContaining('map.xml');
    expect(await withNamedSitemap(answer)).toMatchObject({ is: 'failed', changes: 0, error: { message } });
  },
);

test('a sitemap that names nothing is none that could not be read', async () => {
  const empty = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>';
  expect(await withNamedSitemap(empty)).toMatchObject({ is: 'read', changes: 2, unread: 0 });
});
