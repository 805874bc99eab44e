import { expect, test } from 'vitest';
import { openVisitLab, type VisitLab } from '../../../test/support/hub-visits.ts';
import { type LiveSite, pageOf, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import type { SiteConfig } from '../config/source-config.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOAI = '<meta name="robots" content="noai">';

const configOf = (url: string): SiteConfig => ({ id: 'live', kind: 'site', url });
const saying = (title: string, meta: string, text?: string) => pageOf(title, text).replace('</head>', `${meta}</head>`);
const robots = (...lines: readonly string[]) => ['User-agent: *', 'Allow: /', ...lines, ''].join('\n');

async function siteOf(...paths: readonly string[]): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths), '/robots.txt': robots() });
  return site;
}

/** What a visit tells: the change, its note and what it says of uses. */
async function visitTells(lab: VisitLab, site: LiveSite): Promise<string[]> {
  const before = lab.log.length;
  await lab.visit();
  return lab.log
    .slice(before)
    .map(({ action, url, anchor, note, uses }) =>
      [`${action} ${url.replace(site.url, '/')}${anchor === undefined ? '' : `#${anchor}`}`, note, JSON.stringify(uses)]
        .filter(Boolean)
        .join(' | '),
    );
}

test('a change of robots.txt is told once for the site, also where no page is sent again', async () => {
  await using site = await siteOf('', 'a', 'b');
  await using lab = await openVisitLab(configOf(site.url));
  expect(await visitTells(lab, site)).toHaveLength(3);
  site.put({ '/robots.txt': robots('Content-Signal: ai-train=no') });
  lab.advance(DAY_MS + 1);
  expect(await visitTells(lab, site)).toEqual(['update / | terms site ai-train=unknown>no | {"ai-train":"no"}']);
  expect(await visitTells(lab, site)).toEqual([]);
  site.put({ '/a': pageOf('Page a', 'It says that.') });
  expect(await visitTells(lab, site)).toEqual(['update /a#one | text-edit | {"ai-train":"no"}']);
  site.put({ '/robots.txt': robots('Content-Signal: ai-train=no, search=no') });
  lab.advance(DAY_MS + 1);
  expect(await visitTells(lab, site)).toEqual([
    'update / | terms site search=unknown>no | {"search":"no","ai-train":"no"}',
  ]);
});

test('what one page says of its use is told of that page, and with an edit of the whole page once', async () => {
  await using site = await siteOf('', 'a', 'b');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  lab.told('');
  site.put({ '/a': saying('Page a', NOAI) });
  expect(await visitTells(lab, site)).toEqual(['update /a | terms ai-train=unknown>no | {"ai-train":"no"}']);
  site.put({ '/a': saying('Another title', '') });
  const [told, ...others] = await visitTells(lab, site);
  expect(told).toMatch(/^update \/a \| terms ai-train=no>unknown; .*title-changed/);
  expect(others).toEqual([]);
});

test('a template that says the same on all pages is told once; pages that are new say what they say', async () => {
  const paths = ['', 'a', 'b', 'c', 'd', 'e'];
  await using site = await siteOf(...paths);
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  for (const path of paths) site.put({ [`/${path}`]: saying(`Page ${path}`, NOAI) });
  site.put({ '/f': saying('Page f', NOAI), '/sitemap.xml': sitemapOf(site.url, [...paths, 'f']) });
  expect(await visitTells(lab, site)).toEqual([
    'update / | terms site ai-train=unknown>no | {"ai-train":"no"}',
    'create /f | new-page | {"ai-train":"no"}',
  ]);
});

test('a file of terms is asked for once a day, and one that fails takes no words back', async () => {
  await using site = await siteOf('', 'a', 'b');
  const file = '/.well-known/tdmrep.json';
  site.put({ [file]: JSON.stringify([{ location: '/*', 'tdm-reservation': 1 }]) });
  const asked = () => site.takeRequests().filter((request) => request.endsWith(file));
  await using lab = await openVisitLab(configOf(site.url));
  expect((await visitTells(lab, site)).at(-1)).toContain('{"ai-train":"no"}');
  await lab.visit();
  expect(asked()).toEqual([`200 ${file}`]);
  for (const trouble of [{ status: 503 }, { status: 200, body: pageOf('Start') }]) {
    site.put({ [file]: trouble });
    lab.advance(DAY_MS + 1);
    expect(await visitTells(lab, site)).toEqual([]);
    expect(asked()).toHaveLength(1);
  }
  site.remove(file);
  lab.advance(DAY_MS + 1);
  expect(await visitTells(lab, site)).toEqual(['update / | terms site ai-train=no>unknown']);
});

test('what an earlier version remembers of a page has no terms: they are learned without a word', async () => {
  await using site = await siteOf('', 'a');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit({ terms: undefined });
  site.put({ '/robots.txt': robots('Content-Signal: ai-train=no'), '/a': saying('Page a', NOAI) });
  lab.told('');
  lab.advance(DAY_MS + 1);
  expect(await visitTells(lab, site)).toEqual([]);
  site.put({ '/robots.txt': robots('Content-Signal: ai-train=yes') });
  lab.advance(DAY_MS + 1);
  expect(await visitTells(lab, site)).toEqual([]);
  site.put({ '/a': saying('Page a', '') });
  expect(await visitTells(lab, site)).toEqual(['update /a | terms ai-train=no>yes | {"ai-train":"yes"}']);
});

test('what stands in place of a page says nothing of its use', async () => {
  await using site = await siteOf('', 'a', 'b');
  await using lab = await openVisitLab(configOf(site.url));
  await lab.visit();
  lab.told('');
  const login = `<html><head><title>Sign in</title>${NOAI}</head><body><form><h1>Sign in</h1><input type="password"></form></body></html>`;
  site.put({ '/a': { status: 200, body: login } });
  expect(await visitTells(lab, site)).toEqual([]);
});

test('single pages are told of one by one, and those of one host together', async () => {
  await using site = await siteOf('a', 'b', 'c');
  const urls = ['a', 'b', 'c'].map((path) => site.url + path);
  await using lab = await openVisitLab({ id: 'some', kind: 'page', urls });
  await lab.visit();
  site.put({ '/b': saying('Page b', NOAI) });
  expect(await visitTells(lab, site)).toEqual(['update /b | terms ai-train=unknown>no | {"ai-train":"no"}']);
  site.put({ '/robots.txt': robots('Content-Usage: search=n') });
  lab.advance(DAY_MS + 1);
  expect(await visitTells(lab, site)).toEqual(['update /a | terms site search=unknown>no | {"search":"no"}']);
});
