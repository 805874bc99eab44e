import { expect, test } from 'vitest';
import { openVisitLab, type VisitLab } from '../../../test/support/hub-visits.ts';
import { linking, pageOf, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import { temporaryFolder } from '../../../test/support/site.ts';

const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);
const pagesOf = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)]));

async function listedSite(paths: readonly string[]) {
  const site = await startLiveSite(pagesOf(paths));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  return site;
}
const marks = async (lab: VisitLab, id: string) =>
  [...(await lab.store.pagesOf(id)).pages.values()].filter(({ missingSinceMs }) => missingSinceMs !== undefined).length;

test('a page that answers 404 for one visit gives no event, and its mark is gone with the next', async () => {
  await using site = await listedSite(['', 'a', 'b', 'c']);
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.told(site.url);
  site.remove('/a');
  expect(await lab.visit()).toMatchObject({
    is: 'read',
    changes: 0,
    pages: 4,
    notes: expect.arrayContaining([expect.stringContaining('/a is not there.')]),
  });
  expect(await marks(lab, 'live')).toBe(1);
  lab.advance(60_000);
  site.put(pagesOf(['a']));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4 });
  expect(await marks(lab, 'live')).toBe(0);
  lab.takeCommits();
  expect(await lab.visit()).toMatchObject({ changes: 0 });
  expect(lab.takeCommits()).toEqual([]);
  // Gone once more: that is a first time again.
  site.remove('/a');
  expect(await lab.visit()).toMatchObject({ changes: 0 });
  expect(lab.told(site.url)).toEqual([]);
});

test('a sitemap that is short for one visit deletes nothing; one that stays short does', async () => {
  await using site = await listedSite(['', 'a', 'b', 'c']);
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.told(site.url);
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4 });
  lab.advance(60_000);
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'b', 'c']) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4 });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'b']) });
  expect(await lab.visit()).toMatchObject({ changes: 0 });
  lab.advance(60_000);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 3 });
  expect(lab.told(site.url)).toEqual(['delete /c']);
});

test('visits that follow each other at once are one', async () => {
  using folder = temporaryFolder();
  folder.write({ 'a.html': pageOf('A'), 'b.html': pageOf('B') });
  await using lab = await openVisitLab({
    id: 'docs',
    kind: 'folder',
    path: folder.path,
    site: 'https://docs.example/',
  });
  await lab.visit();
  lab.told('https://docs.example/');
  folder.remove('a.html');
  // The time that the folder is given to come to rest does not count here.
  const wait = async () => {};
  lab.takeCommits();
  expect(await lab.visit({ wait })).toMatchObject({ changes: 0, pages: 2 });
  expect(lab.takeCommits()).toHaveLength(1);
  lab.advance(500);
  expect(await lab.visit({ wait })).toMatchObject({ changes: 0, pages: 2 });
  expect(lab.takeCommits()).toEqual([]);
  lab.advance(1600);
  expect(await lab.visit({ wait })).toMatchObject({ changes: 1, pages: 1 });
  expect(lab.told('https://docs.example/')).toEqual(['delete /a.html']);
});

test('a clock that was set back begins the count anew', async () => {
  using folder = temporaryFolder();
  folder.write({ 'a.html': pageOf('A'), 'b.html': pageOf('B') });
  await using lab = await openVisitLab({
    id: 'docs',
    kind: 'folder',
    path: folder.path,
    site: 'https://docs.example/',
  });
  await lab.visit();
  folder.remove('a.html');
  const at = (ms: number) => ({ now: () => ms });
  expect(await lab.visit(at(9_000_000))).toMatchObject({ changes: 0 });
  expect(await lab.visit(at(1_000_000))).toMatchObject({ changes: 0 });
  expect(await lab.visit(at(1_002_000))).toMatchObject({ changes: 1 });
});

const HOUR = 60 * 60 * 1000;

/** A site that is known, and a page that came to it an hour ago. */
async function openGrownSite() {
  const site = await listedSite(['', 'a', 'b']);
  const lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.advance(HOUR);
  site.put({ ...pagesOf(['new']), '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'b', 'new']) });
  await lab.visit();
  lab.advance(HOUR);
  expect(lab.told(site.url)).toContain('create /new');
  return {
    site,
    lab,
    async look(html?: string) {
      if (html === undefined) site.remove('/new');
      else site.put({ '/new': html });
      await lab.visit();
      lab.advance(6 * HOUR);
      return lab.told(site.url);
    },
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test('a page that came of late is not told as gone while caches that are behind have not got it, and the sitemap names it', async () => {
  await using grown = await openGrownSite();
  const html = pageOf('Page new');
  for (const seen of [undefined, undefined, html, undefined, undefined, undefined, html, undefined]) {
    expect(await grown.look(seen)).toEqual([]);
  }
  expect(await grown.look(pageOf('Page new', 'It says that.'))).toEqual(['update /new#one']);
});

test('a page that came of late and is not there for a day is gone; if it comes back, that is told at once', async () => {
  await using grown = await openGrownSite();
  for (let look = 0; look < 4; look += 1) expect(await grown.look()).toEqual([]);
  expect(await grown.look()).toEqual(['delete /new']);
  expect(await grown.look(pageOf('Page new'))).toEqual(['create /new']);
});

test('a page that came of late and that the sitemap does not name any more is gone at the second look', async () => {
  await using grown = await openGrownSite();
  const { site } = grown;
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'b']) });
  expect(await grown.look()).toEqual([]);
  expect(await grown.look()).toEqual(['delete /new']);
});

test('a page that came of late and that no link leads to any more is gone at the second look; one that is linked is not', async () => {
  await using site = await startLiveSite({ '/': linking('Home', 'a'), '/a': pageOf('A') });
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  site.put({ '/': linking('Home', 'a', 'b', 'c'), '/b': pageOf('B'), '/c': pageOf('C') });
  lab.advance(HOUR);
  await lab.visit();
  expect(lab.told(site.url)).toEqual(expect.arrayContaining(['create /b', 'create /c']));
  site.remove('/b', '/c');
  for (const links of [
    ['a', 'b'],
    ['a', 'b', 'a'],
  ]) {
    site.put({ '/': linking('Home', ...links) });
    lab.advance(HOUR);
    await lab.visit();
  }
  expect(lab.told(site.url).filter((line) => line.startsWith('delete'))).toEqual(['delete /c']);
});

test('a page that has been there for more than a day is gone at the second look, whatever the sitemap says', async () => {
  await using grown = await openGrownSite();
  const { lab } = grown;
  lab.advance(24 * HOUR);
  expect(await grown.look()).toEqual([]);
  expect(await grown.look()).toEqual(['delete /new']);
});

test('with leave to delete, what is not there is gone at once', async () => {
  await using site = await listedSite(['', 'a', 'b']);
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.told(site.url);
  site.remove('/a');
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ changes: 1, pages: 2 });
  expect(lab.told(site.url)).toEqual(['delete /a']);
});

test('a site that recovers in the middle of the visit behind the breaker deletes nothing', async () => {
  const paths = names(20);
  await using site = await listedSite(paths);
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.told(site.url);
  site.remove(...paths.map((path) => `/${path}`));
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'SafetyStopError' } });
  expect(await marks(lab, 'live')).toBe(0);
  lab.advance(60_000);
  // The first few are asked for too early.
  site.put(pagesOf(paths.slice(5)));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 20 });
  expect(await marks(lab, 'live')).toBe(5);
  lab.advance(60_000);
  site.put(pagesOf(paths));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 20 });
  expect(lab.told(site.url)).toEqual([]);
});

test('the breaker judges those that are missing for the second time, too', async () => {
  const paths = names(20);
  await using site = await listedSite(paths);
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  site.remove(...paths.slice(0, 6).map((path) => `/${path}`));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  lab.advance(60_000);
  site.remove(...paths.slice(6, 12).map((path) => `/${path}`));
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'SafetyStopError' } });
});

test('a page that is missing while it is edited elsewhere comes back as it is, with the change', async () => {
  await using site = await startLiveSite({ '/': linking('Home', 'a', 'b'), '/a': pageOf('A'), '/b': pageOf('B') });
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.told(site.url);
  site.remove('/a');
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 3 });
  lab.advance(60_000);
  site.put({ '/a': pageOf('A', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 3 });
  expect(lab.told(site.url)).toEqual(['update /a#one']);
  expect(lab.log.at(-1)?.provenance.before).toBeDefined();
});

test('a page that moved is linked both ways, though it is told as gone a visit later', async () => {
  await using site = await listedSite(['', 'a', 'b', 'c']);
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.told(site.url);
  site.remove('/a');
  site.put({ '/moved': pageOf('Page a'), '/sitemap.xml': sitemapOf(site.url, ['', 'moved', 'b', 'c']) });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
  lab.advance(60_000);
  await lab.visit();
  expect(lab.log.slice(-2).map(({ action, note }) => `${action} ${note}`)).toEqual([
    `create new-page; moved-from=${site.url}a`,
    `delete moved-to=${site.url}moved`,
  ]);
});

test('a page that leads to a new one with other words has moved there, too', async () => {
  await using site = await listedSite(['', 'a', 'b', 'c']);
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  site.put({
    '/a': { status: 301, headers: { location: '/moved' } },
    '/moved': pageOf('Said anew'),
    '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'moved', 'b', 'c']),
  });
  await lab.visit();
  lab.advance(60_000);
  await lab.visit();
  expect(lab.log.slice(-2).map(({ action, note }) => `${action} ${note}`)).toEqual([
    `create new-page; moved-from=${site.url}a`,
    `delete moved-to=${site.url}moved`,
  ]);
});
