import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LiveSite, linking, pageOf, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import { type FollowedEvent, type FollowOptions, follow } from './follow.ts';

/** Three pages that links lead to. */
function linkedPages(): Record<string, string> {
  return { '/': linking('Home', 'a', 'b', 'c'), '/a': pageOf('Page a'), '/b': pageOf('Page b') };
}

async function startSite(): Promise<LiveSite> {
  return await startLiveSite(linkedPages());
}

interface Followed {
  readonly events: readonly FollowedEvent[];
  readonly told: readonly string[];
  readonly said: readonly string[];
  readonly error: TidingsError | undefined;
}

/** One run with `--once`. */
async function run(options: FollowOptions): Promise<Followed> {
  const events: FollowedEvent[] = [];
  const said: string[] = [];
  let error: TidingsError | undefined;
  const onDiagnostic = ({ message }: { readonly message: string }) => void said.push(message);
  try {
    const all = { once: true, allowPrivate: true, cooldownMs: 0, onDiagnostic, ...options };
    for await (const event of follow(all)) events.push(event);
  } catch (thrown) {
    error = thrown as TidingsError;
  }
  return { events, said, error, told: events.map(toldAs) };
}

function toldAs({ action, boundary, dialect }: FollowedEvent): string {
  const { pathname, hash } = new URL(boundary);
  return `${dialect} ${action} ${pathname}${hash}`;
}

test('a site without a feed: first each page, then what changed, section by section', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  const first = await run(options);
  expect(first.error).toBeUndefined();
  expect(first.told.toSorted()).toEqual(['pages create /', 'pages create /a', 'pages create /b']);
  expect(first.events[0]).toMatchObject({ title: expect.any(String), checksum: expect.stringMatching(/^sha256:/) });
  expect((await run(options)).told).toEqual([]);

  site.put({ '/a': pageOf('Page a', 'It says something else.'), '/c': pageOf('Page c') });
  const later = await run({ ...options, content: true });
  expect(later.told.toSorted()).toEqual(['pages create /c', 'pages update /a#one']);
  expect(later.events.find(({ anchor }) => anchor === 'one')?.markdown).toBe('## One\n\nIt says something else.');
  expect((await run(options)).told).toEqual([]);
});

test('pages that a sitemap lists are told as its', async () => {
  await using site = await startLiveSite({ '/x': pageOf('Page x'), '/y': pageOf('Page y') });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['x', 'y']) });
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  expect((await run(options)).told.toSorted()).toEqual(['sitemap create /x', 'sitemap create /y']);
  site.put({ '/y': pageOf('Page y', 'Another text.') });
  expect((await run({ ...options, dialect: 'sitemap' })).told).toEqual(['sitemap update /y#one']);
});

test('a page is gone after two looks that say so, however soon they come', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  await run(options);
  site.remove('/b');
  expect((await run(options)).told).toEqual([]);
  expect((await run(options)).told).toEqual(['pages delete /b']);
  expect((await run(options)).told).toEqual([]);
});

test('an event counts when the next one is asked for: what was not taken comes again', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  const options = {
    url: site.url,
    state: join(folder.path, 'state.db'),
    once: true,
    allowPrivate: true,
    cooldownMs: 0,
  };
  const seen: string[] = [];
  for await (const { url } of follow(options)) {
    seen.push(url);
    if (seen.length === 2) break;
  }
  const { events } = await run(options);
  expect(events.map(({ url }) => url)).toEqual([seen[1], expect.any(String)]);
  expect(new Set([...seen, ...events.map(({ url }) => url)]).size).toBe(3);
});

test('without a state everything is new each time, and nothing is left behind', async () => {
  await using site = await startSite();
  const scratch = () => readdirSync(tmpdir()).filter((name) => name.startsWith('tidings-follow-'));
  const before = scratch();
  expect((await run({ url: site.url })).told).toHaveLength(3);
  expect((await run({ url: site.url, content: true })).events.map(({ markdown }) => typeof markdown)).toEqual(
    Array.from({ length: 3 }, () => 'string'),
  );
  expect(scratch()).toEqual(before);
});

test('content is that of the look: no page is asked for twice', async () => {
  await using site = await startSite();
  await run({ url: site.url, content: true });
  const asked = site.takeRequests().filter((request) => request.endsWith(' /a'));
  expect(asked).toEqual(['200 /a']);
});

test('a document is one page, a clean address as well', async () => {
  await using site = await startLiveSite({ '/doc/terms.html': pageOf('Terms'), '/pricing': pageOf('Pricing') });
  expect((await run({ url: `${site.url}doc/terms.html` })).told).toEqual(['pages create /doc/terms.html']);
  expect((await run({ url: `${site.url}pricing` })).told).toEqual(['pages create /pricing']);
});

test('a site of which nothing can be read is an error, and so is one that keeps us out', async () => {
  await using site = await startLiveSite();
  const nothing = await run({ url: site.url });
  expect(nothing).toMatchObject({ told: [], error: { recovery: 'retry-later' } });
  site.put({ ...linkedPages(), '/robots.txt': 'User-agent: *\nDisallow: /\n' });
  const denied = await run({ url: site.url });
  expect(denied.error?.message).toContain('robots.txt');
  expect(denied.told).toEqual([]);
});

test('pages that fail are said, stay as they were, and the run is not whole', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  await run(options);
  site.put({ '/a': { status: 500 }, '/b': pageOf('Page b', 'New words.') });
  const { told, error, said } = await run(options);
  expect(told).toEqual(['pages update /b#one']);
  expect(error).toMatchObject({ name: 'SiteUnreadError', message: expect.stringContaining('1 page of') });
  expect(said.join('\n')).toContain('/a');
});

test('more pages than are wanted: the bound is said', async () => {
  await using site = await startSite();
  const { told, said, error } = await run({ url: site.url, maxPages: 3 });
  expect(told).toHaveLength(2);
  expect(said.join('\n')).toContain('more than 3 pages');
  expect(error?.recovery).toBe('retry-later');
});

test('an address that leads elsewhere: on the same host it is followed, on another it is named', async () => {
  await using other = await startSite();
  await using site = await startLiveSite({ '/': { status: 301, headers: { location: other.url } } });
  const { error, told } = await run({ url: site.url });
  expect(told).toEqual([]);
  expect(error).toMatchObject({ recovery: 'fix-input', message: expect.stringContaining(`leads to ${other.url}`) });
});

test('only what the rules let through: pages by path, sections by name', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db'), only: ['/a', '#one'] };
  expect((await run(options)).told).toEqual([]);
  site.put({ '/a': pageOf('Page a', 'Another text.'), '/b': pageOf('Page b', 'Another text.') });
  expect((await run(options)).told).toEqual(['pages update /a#one']);
});

test('since a time: pages that say that they are older are taken in silence', async () => {
  const dated = (title: string, time: string) =>
    pageOf(title).replace('</head>', `<meta property="article:published_time" content="${time}"></head>`);
  await using site = await startLiveSite({
    '/': linking('Home', 'old', 'new'),
    '/old': dated('Old', '2020-01-01T00:00:00Z'),
    '/new': dated('New', new Date().toISOString()),
  });
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db'), since: '7d' };
  expect((await run(options)).told.toSorted()).toEqual(['pages create /', 'pages create /new']);
  site.put({ '/old': dated('Old', '2020-01-01T00:00:00Z').replace('It says this.', 'It says that.') });
  expect((await run(options)).told).toEqual(['pages update /old#one']);
});

test('what is known of the pages is gone: that is said, and what is unchanged is marked so', async () => {
  await using site = await startSite();
  using folder = temporaryFolder();
  const state = join(folder.path, 'state.db');
  await run({ url: site.url, state });
  rmSync(`${state}.pages`, { recursive: true });
  const { events, said } = await run({ url: site.url, state });
  expect(events.map(({ unchanged }) => unchanged)).toEqual([true, true, true]);
  expect(said.join('\n')).toContain('All of them are told');
});

test('many sites at once, with feeds and without', async () => {
  await using one = await startSite();
  await using two = await startSite();
  two.put({ '/sitemap.xml': sitemapOf(two.url, ['a']) });
  const { told, error } = await run({ urls: [one.url, two.url] });
  expect(error).toBeUndefined();
  expect(told.toSorted()).toEqual(['pages create /', 'pages create /a', 'pages create /b', 'sitemap create /a']);
});

test('a format that is named is the only one: there is no way down', async () => {
  await using site = await startSite();
  const { told, error } = await run({ url: site.url, dialect: 'aicf' });
  expect(told).toEqual([]);
  expect(error?.name).toBe('FeedUnreadableError');
  const listed = await run({ url: site.url, dialect: 'sitemap' });
  expect(listed).toMatchObject({ told: [], error: { message: expect.stringContaining('no sitemap') } });
});

test('feeds that are broken when a site is first seen: its pages are told, and that is said', async () => {
  await using site = await startSite();
  site.put({ '/.well-known/ai-changefeed': { status: 500 } });
  const { told, said, error } = await run({ url: site.url });
  expect(error).toBeUndefined();
  expect(told).toHaveLength(3);
  expect(said.join('\n')).toMatch(/ai-changefeed .*500.*Followed instead: its pages\./);
});

test('much that vanishes at once is told to nobody, until a person says that it is so', async () => {
  const paths = Array.from({ length: 20 }, (_, number) => `p${number}`);
  await using site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  using folder = temporaryFolder();
  const options = { url: site.url, state: join(folder.path, 'state.db') };
  expect((await run(options)).told).toHaveLength(20);
  site.remove(...paths.slice(5).map((path) => `/${path}`));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths.slice(0, 5)) });
  const stopped = await run(options);
  expect(stopped).toMatchObject({ told: [], error: { recovery: 'stop' } });
  expect(stopped.error?.message).toContain('tidings follow … --once --allow-deletes');
  expect((await run({ ...options, allowDeletes: true })).told).toHaveLength(15);
  expect(await run(options)).toMatchObject({ told: [], error: undefined });
});

test('a long first look is told while it is taken', async () => {
  const paths = Array.from({ length: 120 }, (_, number) => `p${number}`);
  await using site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  let askedAtFirst = 0;
  const told: string[] = [];
  for await (const { url } of follow({ url: site.url, once: true, allowPrivate: true, cooldownMs: 0 })) {
    if (told.length === 0) askedAtFirst = site.takeRequests().length;
    told.push(url);
  }
  expect(new Set(told).size).toBe(120);
  expect(askedAtFirst).toBeLessThan(120);
});
