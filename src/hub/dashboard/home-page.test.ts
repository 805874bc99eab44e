import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { callRoute, textOf } from '../../../test/support/call-route.ts';
import { FakeWatch, NEVER_CHECKED, siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import { NOT_FROM_THE_LOG, shelfOf } from '../../dialects/shelf.ts';
import type { Change } from '../../model/change.ts';
import { HubShelves } from '../shelves/hub-shelves.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { homeRoutes } from './home-page.ts';

const SHELVES = new HubShelves([]);
const T0 = Date.parse('2026-03-01T12:00:00Z');
const READ = { ...NEVER_CHECKED, lastCheckMs: T0, lastOkMs: T0 };

function change(seq: number, rest: Partial<Change> = {}): Change {
  return {
    seq,
    id: `01KH00000000000000000000${String(seq).padStart(2, '0')}`,
    source: 'docs',
    kind: 'page',
    action: 'update',
    url: 'https://docs.example/a',
    time: '2026-03-01T11:59:30.500Z',
    provenance: {},
    ...rest,
  };
}

function pageOf(sources: readonly WatchedSource[], recent: readonly Change[] = []) {
  const watch = new FakeWatch(sources);
  const routes = homeRoutes({
    watch,
    shelves: SHELVES,
    recentChanges: () => recent,
    baseUrl: () => 'https://hub.example/',
    now: () => T0,
  });
  return callRoute(routes, 'GET /');
}

async function htmlOf(sources: readonly WatchedSource[], recent: readonly Change[] = []): Promise<string> {
  return textOf(await pageOf(sources, recent));
}

test('the policy lets the one style through and nothing else', async () => {
  const { headers } = await pageOf([]);
  const html = await htmlOf([]);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/i);
});

test('an empty hub says how to begin', async () => {
  const html = await htmlOf([]);
  expect(html).toContain('No source is watched yet.');
  expect(html).toContain('Nothing has changed yet.');
  expect(html).toContain('<html lang="en">');
});

test('a source shows its status in words, its times and what ails it', async () => {
  const error = { code: 'PageStatusError', message: 'https://docs.example/ answered with status 503.' };
  const html = await htmlOf([watchedSource(siteConfig('docs'), { health: { ...READ, failures: 3, error } })]);
  expect(html).toContain('<b class="error">error</b>');
  expect(html).toContain('<time datetime="2026-03-01T12:00:00Z">2026-03-01 12:00</time>');
  expect(html).toContain('answered with status 503.');
  expect(html).toContain('(3 times in a row)');
  expect(html).toContain('<title>Tidings hub: 0 of 1 sources healthy</title>');
});

test('quiet, paused, pending and mirrored sources say so', async () => {
  const quiet = { ...READ, lastChangeMs: T0 - 1e9, changeGapsMs: Array(6).fill(60_000), intervalMs: 60_000 };
  const html = await htmlOf([
    watchedSource(siteConfig('a'), { health: quiet }),
    watchedSource(siteConfig('b'), { paused: 'moving <b>house</b>' }),
    watchedSource(siteConfig('c')),
    watchedSource(siteConfig('d'), { health: { ...READ, fallback: 0 } }),
  ]);
  expect(html).toContain('Quieter than its rhythm since <time');
  expect(html).toContain('moving &lt;b&gt;house&lt;/b&gt;');
  expect(html).toContain('<b class="pending">pending</b>');
  expect(html).toContain('Read from fallback 1.');
});

test('messages that name files of the machine stay there', async () => {
  const error = { code: 'FolderError', message: 'Cannot read /srv/site/a.html.' };
  const full = { code: 'LogFullError', message: 'No room on /srv/hub/log.sqlite.' };
  const folder = { id: 'f', kind: 'folder', path: '/srv/site', site: 'https://f.example/' } as const;
  const html = await htmlOf([
    watchedSource(folder, { health: { ...READ, failures: 1, error } }),
    watchedSource(siteConfig('docs'), { health: { ...READ, failures: 1, error: full } }),
  ]);
  expect(html).toContain('FolderError: the log of the hub says more.');
  expect(html).not.toContain('/srv');
});

test('a change links to its section; its title is text, whatever it says', async () => {
  const html = await htmlOf(
    [],
    [
      change(3, { anchor: 'set up', title: '</td><script>alert(1)</script>\u202Egnp.exe' }),
      change(2, { url: 'javascript:alert(1)', title: 'click me' }),
      change(1, { action: 'delete', source: '"><img src=x>' }),
    ],
  );
  expect(html).toContain(
    '<a href="https://docs.example/a#set%20up" rel="noopener noreferrer nofollow"><bdi>&lt;/td&gt;&lt;script&gt;',
  );
  expect(html).toContain('<span class="odd">U+202E</span>gnp.exe');
  expect(html).toContain('<td><bdi>click me</bdi>');
  expect(html).not.toContain('href="javascript');
  expect(html).not.toMatch(/<(?:script|img)/);
  expect(html).toContain('<b>3</b> changes');
});

test('pages that could not be read are remarked, and such sources stand above those that are well', async () => {
  const sources = [
    watchedSource(siteConfig('a'), { health: READ }),
    watchedSource(siteConfig('b'), { health: { ...READ, unread: 3 } }),
    watchedSource(siteConfig('c'), { health: { ...READ, unread: 1 } }),
  ];
  const html = await htmlOf(sources);
  expect(html).toContain('<p>3 pages unread.</p>');
  expect(html).toContain('<p>1 page unread.</p>');
  expect(html.indexOf('<bdi>b</bdi>')).toBeLessThan(html.indexOf('<bdi>a</bdi>'));
});

test('hostile names of sources stay text', async () => {
  const config = { ...siteConfig('docs'), title: '<img src=x onerror=alert(1)>' };
  const html = await htmlOf([watchedSource(config, { health: READ })]);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).not.toContain('<img');
});

test('of ten thousand sources those in trouble are shown, and how many more there are', async () => {
  const sources = Array.from({ length: 10_000 }, (_, at) => watchedSource(siteConfig(`s${at}`), { health: READ }));
  const error = { code: 'DnsError', message: 'No such name.' };
  sources.push(watchedSource(siteConfig('zzz'), { health: { ...READ, failures: 1, error } }));
  const html = await htmlOf(sources);
  const rows = html.match(/<tr>/g)?.length;
  expect(rows).toBe(1 + 200);
  expect(html.indexOf('zzz')).toBeLessThan(html.indexOf('<code><bdi>s0'));
  expect(html).toContain('… and 9,801 more');
  expect(html.length).toBeLessThan(200_000);
});

test('fifty changes are shown', async () => {
  const html = await htmlOf(
    [],
    Array.from({ length: 80 }, (_, at) => change(80 - at)),
  );
  expect(html).toContain('The newest 50');
  expect(html).toContain('<b>80</b> changes');
});

test('who has the page is told so', async () => {
  const watch = new FakeWatch();
  const clock = { ms: T0 };
  const routes = homeRoutes({
    watch,
    shelves: SHELVES,
    recentChanges: () => [],
    baseUrl: () => 'https://hub.example/',
    now: () => clock.ms,
  });
  const { etag = '' } = (await callRoute(routes, 'GET /')).headers;
  const headers = { 'if-none-match': etag };
  clock.ms += 5000;
  expect((await callRoute(routes, 'GET /', { headers })).status).toBe(304);
  watch.unwritable = 'full';
  clock.ms += 1000;
  const answer = await callRoute(routes, 'GET /', { headers });
  expect(answer.status).toBe(200);
  expect(textOf(answer)).toContain('cannot write to its disk');
});

test('what each dialect offers is named, linked and announced; names that a source gave are escaped', async () => {
  const shelf = shelfOf(NOT_FROM_THE_LOG, {
    routes: () => [],
    links: {
      alternate: { mediaType: 'text/x-made-up', path: 'all.made' },
      feeds: [
        [
          { words: 'Made up', path: 'all.made' },
          { words: 'of one source', path: 'made/{source}' },
        ],
      ],
      discovery: { words: 'Made-up discovery', path: '.well-known/made' },
    },
    feedsOf: ({ id }) => [{ words: 'made', name: '<b>', path: `made/${id}`, mediaType: 'text/x-made-up' }],
  });
  const routes = homeRoutes({
    watch: new FakeWatch([watchedSource(siteConfig('docs'))]),
    shelves: new HubShelves([{ dialect: 'made-up', shelf }]),
    recentChanges: () => [],
    baseUrl: () => 'https://hub.example/',
    now: () => T0,
  });
  const html = textOf(await callRoute(routes, 'GET /'));
  expect(html).toContain('<link rel="alternate" type="text/x-made-up" title="All changes" href="all.made">\n<style>');
  expect(html).toContain(
    '<li>Made up: <a href="all.made"><code><bdi>https://hub.example/all.made</bdi></code></a>, of one source: <code><bdi>https://hub.example/made/{source}</bdi></code></li>',
  );
  expect(html).toContain('<li><a href=".well-known/made">Made-up discovery</a></li>');
  expect(html).toContain(' · <a href="made/docs" type="text/x-made-up">made: <bdi>&lt;b&gt;</bdi></a></p>');
});
