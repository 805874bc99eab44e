import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { linking, pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import type { SiteConfig } from '../config/source-config.ts';

const configOf = (url: string, sitemap: string): SiteConfig => ({
  id: 'live',
  kind: 'site',
  url,
  sitemap: new URL(sitemap, url).href,
});

/** As shops and newspapers write them. */
const rich = (base: string, lastmod: Readonly<Record<string, string>>) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
  xmlns:xhtml="http://www.w3.org/1999/xhtml">${Object.entries(lastmod)
    .map(
      ([path, time]) => `<url><loc>${base}${path}</loc><lastmod>${time}</lastmod><changefreq>never</changefreq>
  <xhtml:link rel="alternate" hreflang="de" href="${base}de/${path}"/>
  <news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
  <news:publication_date>2020-01-01</news:publication_date><news:title>${path}</news:title></news:news>
  <image:image><image:loc>${base}${path}.png</image:loc></image:image>
  <video:video><video:player_loc>${base}v/${path}</video:player_loc><video:title>V</video:title></video:video></url>`,
    )
    .join('')}</urlset>`;
/** All of that but the news. */
const plain = (base: string, lastmod: Readonly<Record<string, string>>) =>
  rich(base, lastmod).replaceAll(/<news:news>[\s\S]*?<\/news:news>/g, '');
const indexOf = (...urls: readonly string[]) =>
  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<sitemap><loc>${url}</loc><lastmod>2020-01-01</lastmod></sitemap>`)
    .join('')}</sitemapindex>`;

test('the pages are those that the sitemap names, through an index, packed or not, and nothing else is looked at', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', 'a', 'hidden'),
    '/a': pageOf('A'),
    '/b': pageOf('B'),
    '/c': pageOf('C'),
    '/hidden': pageOf('Hidden'),
  });
  const unlabelled = gzipSync(rich(site.url, { b: '2026-01-01' }));
  const labelled = gzipSync(rich(site.url, { c: '2026-01-01' }));
  site.put({
    '/sitemap.xml': rich(site.url, { hidden: '2026-01-01' }),
    '/mine.xml': indexOf(`${site.url}one.xml`, `${site.url}two.xml.gz`, `${site.url}three.xml.gz`),
    '/one.xml': rich(site.url, { a: '2026-01-01' }),
    '/two.xml.gz': unlabelled,
    '/three.xml.gz': (response) =>
      void response.writeHead(200, { 'content-type': 'application/xml', 'content-encoding': 'gzip' }).end(labelled),
  });
  await using lab = await openVisitLab(configOf(site.url, 'mine.xml'));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 3, pages: 3, unread: 0, notes: [] });
  expect(lab.told(site.url)).toEqual(['create /a', 'create /b', 'create /c']);
  expect(site.takeRequests()).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/ \/(?:sitemap\.xml|hidden|)$/)]),
  );
  expect(await lab.test(configOf(site.url, 'mine.xml'))).toMatchObject({ is: 'read', pages: 3 });
});

test('lastmod that lies changes nothing, either way', async () => {
  await using site = await startLiveSite({ '/a': pageOf('A'), '/b': pageOf('B') });
  site.put({ '/s.xml': plain(site.url, { a: '2026-01-01', b: '2026-01-01' }) });
  await using lab = await openVisitLab(configOf(site.url, 's.xml'));
  await lab.visit();
  lab.told(site.url);

  site.put({ '/s.xml': plain(site.url, { a: '2026-02-02', b: '2026-02-02' }) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  site.put({ '/b': pageOf('B', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(site.url)).toEqual(['update /b#one']);

  // Two checks have to agree that a page is gone from the list.
  site.put({ '/s.xml': plain(site.url, { b: '2026-02-02' }) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  lab.advance(5000);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(site.url)).toEqual(['delete /a']);
});

test('a sitemap that is not there, is something else or names nothing fails, and no link is followed in its place', async () => {
  await using site = await startLiveSite({ '/': linking('Home', 'a'), '/a': pageOf('A'), '/x': pageOf('X') });
  await using lab = await openVisitLab(configOf(site.url, 's.xml'));
  const elsewhere = plain('https://www.elsewhere.example/', { a: '2026-01-01' });
  for (const [answer, message] of [
    [undefined, /no such sitemap/],
    ['<!doctype html><html><p>Oops</p></html>', /HTML page/],
    ['<rss><channel/></rss>', /RSS feed/],
    [plain(site.url, {}), /names no page/],
    [elsewhere, /elsewhere\.example\/a, which is not below/],
  ] as const) {
    if (answer !== undefined) site.put({ '/s.xml': answer });
    const outcome = await lab.visit();
    expect(outcome).toMatchObject({ is: 'failed', changes: 0, error: { message: expect.stringMatching(message) } });
    expect(await lab.test(configOf(site.url, 's.xml'))).toMatchObject({ is: 'failed' });
  }

  site.put({ '/s.xml': plain(site.url, { a: '2026-01-01', x: '2026-01-01' }) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  // What is known is still looked at while its list is not to be had.
  site.put({ '/s.xml': plain(site.url, {}), '/a': pageOf('A', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, unread: 1 });
  lab.advance(5000);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 2 });
  expect(lab.told(site.url)).toEqual(['create /a', 'create /x', 'update /a#one']);
});

test('what is no longer news is not gone, unless its host says so', async () => {
  await using site = await startLiveSite({ '/a': pageOf('A'), '/b': pageOf('B'), '/c': pageOf('C') });
  site.put({ '/news.xml': rich(site.url, { a: '2026-01-01', b: '2026-01-01' }) });
  await using lab = await openVisitLab(configOf(site.url, 'news.xml'));
  await lab.visit();
  site.put({ '/news.xml': rich(site.url, { c: '2026-01-03' }), '/a': pageOf('A', 'It says that.') });
  site.remove('/b');
  for (let round = 0; round < 3; round += 1) {
    await lab.visit();
    lab.advance(5000);
  }
  expect(lab.told(site.url)).toEqual(['create /a', 'create /b', 'update /a#one', 'create /c', 'delete /b']);
});

test('a mirror has the sitemap at the same place', async () => {
  await using site = await startLiveSite({ '/a': pageOf('A') });
  await using mirror = await startLiveSite({ '/a': pageOf('A'), '/b': pageOf('B') });
  site.put({ '/s.xml': plain(site.url, { a: '2026-01-01' }) });
  mirror.put({ '/s.xml': plain(site.url, { a: '2026-01-01', b: '2026-01-01' }) });
  await using lab = await openVisitLab({ ...configOf(site.url, 's.xml'), fallbacks: [mirror.url] });
  await lab.visit();
  site.put({ '/a': { status: 503 }, '/s.xml': { status: 503 } });
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 1 });
  expect(lab.told(site.url)).toEqual(['create /a', 'create /b']);
});
