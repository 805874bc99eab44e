import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { type LiveSite, pageOf, type Served, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';

const PATHS = ['', 'a', 'b', 'c'];
const contents = Object.fromEntries(PATHS.map((path) => [`/${path}`, pageOf(`Page ${path}`)]));

async function twoSites() {
  const site = await startLiveSite(contents);
  const mirror = await startLiveSite(contents);
  // A mirror is a copy: its sitemap names the addresses of the site.
  for (const each of [site, mirror]) each.put({ '/sitemap.xml': sitemapOf(site.url, PATHS) });
  const lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url, fallbacks: [mirror.url] });
  const end = async () => {
    for (const each of [site, mirror, lab]) await each[Symbol.asyncDispose]();
  };
  return { site, mirror, lab, [Symbol.asyncDispose]: end };
}
const breakDown = (site: LiveSite) => {
  for (const path of [...PATHS, 'sitemap.xml']) site.put({ [`/${path}`]: { status: 502 } });
};
const recover = (site: LiveSite) => site.put({ ...contents, '/sitemap.xml': sitemapOf(site.url, PATHS) });

test('a site that cannot be read is read from its mirror, under its own address and without a change', async () => {
  await using sites = await twoSites();
  const { site, mirror, lab } = sites;
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 4, pages: 4 });
  expect(mirror.takeRequests()).toEqual([]);
  lab.takeCommits();

  breakDown(site);
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 0, pages: 4, unread: 0 });
  expect(lab.takeCommits()).toEqual([]);

  recover(site);
  site.takeRequests();
  const back = await lab.visit();
  expect(back).toMatchObject({ is: 'read', changes: 0, pages: 4 });
  expect(back).not.toHaveProperty('fallback');
  expect(lab.takeCommits()).toEqual([]);
  expect(site.takeRequests().filter((request) => request.startsWith('304'))).toHaveLength(4);
});

test('an edit on the mirror is a change; what it lacks is not gone', async () => {
  await using sites = await twoSites();
  const { site, mirror, lab } = sites;
  await lab.visit();
  lab.told(site.url);
  breakDown(site);
  mirror.put({ '/a': pageOf('Page a', 'It says that.'), '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
  mirror.remove('/b', '/c');
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 1, pages: 4 });
  expect(lab.told(site.url)).toEqual(['update /a#one']);
  expect(lab.log.at(-1)?.provenance.readFrom).toBe(mirror.url);

  // The site says so itself, and was never asked with what the mirror had given.
  recover(site);
  site.put({ '/a': pageOf('Page a', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4 });
});

test('a mirror that links to more than the site lists adds nothing', async () => {
  await using sites = await twoSites();
  const { site, mirror, lab } = sites;
  await lab.visit();
  breakDown(site);
  mirror.remove('/sitemap.xml');
  mirror.put({ '/': `${pageOf('Page ')}<a href="/draft">x</a>`, '/draft': pageOf('Draft') });
  lab.takeCommits();
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 0, pages: 4 });
  expect(lab.takeCommits()).toEqual([]);
});

test('without any place that can be read, the error is that of the site', async () => {
  await using sites = await twoSites();
  const { site, mirror, lab } = sites;
  await lab.visit();
  breakDown(site);
  for (const path of [...PATHS, 'sitemap.xml']) mirror.put({ [`/${path}`]: { status: 500 } });
  expect(await lab.visit()).toMatchObject({
    is: 'failed',
    error: { code: 'PageStatusError', httpStatus: 502 },
    changes: 0,
  });
});

test('a site whose start fails is read from its mirror, and itself where there is none that can be', async () => {
  await using sites = await twoSites();
  const { site, mirror, lab } = sites;
  await lab.visit();
  lab.told(site.url);
  site.put({ '/': { status: 500 }, '/b': pageOf('Page b', 'It says that.') });
  mirror.put({ '/b': pageOf('Page b', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 1, unread: 0 });
  breakDown(mirror);
  site.put({ '/c': pageOf('Page c', 'It says that.') });
  const partly = await lab.visit();
  expect(partly).toMatchObject({ is: 'read', changes: 1, unread: 1 });
  expect(partly).not.toHaveProperty('fallback');
  expect(lab.told(site.url)).toEqual(['update /b#one', 'update /c#one']);
});

test('a site that says all its pages are gone is read from its mirror', async () => {
  await using sites = await twoSites();
  const { site, lab } = sites;
  await lab.visit();
  site.remove(...PATHS.map((path) => `/${path}`), '/sitemap.xml');
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 0, pages: 4 });
});

test('a site that is down from the start is read from its mirror, and is the same when it is back', async () => {
  await using sites = await twoSites();
  const { site, lab } = sites;
  breakDown(site);
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 4, pages: 4 });
  expect(lab.told(site.url)).toEqual(['create /', 'create /a', 'create /b', 'create /c']);
  recover(site);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4 });
  lab.takeCommits();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4 });
  expect(lab.takeCommits()).toEqual([]);
});

test('the validators of one place say nothing at the other', async () => {
  await using sites = await twoSites();
  const { site, mirror, lab } = sites;
  const tagged =
    (html: string): Served =>
    (response) => {
      const isKnown = response.req.headers['if-none-match'] === '"1"';
      response
        .writeHead(isKnown ? 304 : 200, { etag: '"1"', 'content-type': 'text/html' })
        .end(isKnown ? undefined : html);
    };
  site.put({ '/a': tagged(pageOf('Page a')) });
  await lab.visit();
  lab.told(site.url);
  breakDown(site);
  mirror.put({ '/a': tagged(pageOf('Page a', 'It says that.')) });
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 1 });
  recover(site);
  site.put({ '/a': tagged(pageOf('Page a', 'It says something else.')) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(site.url)).toEqual(['update /a#one', 'update /a#one']);
});
