import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { EMPTY_CATALOGUE } from '../../../../test/support/empty-catalogue.ts';
import { FakeWatch, NEVER_CHECKED, siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { signedIn } from '../../../../test/support/signed-in.ts';
import { NOT_FROM_THE_LOG, shelfOf } from '../../../dialects/shelf.ts';
import type { Change } from '../../../model/change.ts';
import { HubShelves } from '../../shelves/hub-shelves.ts';
import type { WatchedSource } from '../../store/hub-store.ts';
import { sourceListView } from '../sources/source-list.ts';
import { viewRoutes } from '../view.ts';
import { type OverviewParts, overviewView } from './overview.ts';

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

function routesOf(parts: Partial<OverviewParts> & Pick<OverviewParts, 'watch'>, shelves = SHELVES) {
  const usual = {
    recentChanges: () => [],
    catalogue: EMPTY_CATALOGUE,
    links: () => shelves.links(),
    baseUrl: () => 'https://hub.example/',
    now: () => T0,
  };
  const views = [overviewView({ ...usual, ...parts }), sourceListView({ now: () => T0, ...parts })];
  return viewRoutes(views, signedIn());
}

function pageOf(sources: readonly WatchedSource[], recent: readonly Change[] = []) {
  return callRoute(routesOf({ watch: new FakeWatch(sources), recentChanges: () => recent }), 'GET /');
}

async function listOf(sources: readonly WatchedSource[]): Promise<string> {
  return textOf(await callRoute(routesOf({ watch: new FakeWatch(sources) }), 'GET /sources'));
}

async function htmlOf(sources: readonly WatchedSource[], recent: readonly Change[] = []): Promise<string> {
  return textOf(await pageOf(sources, recent));
}

test('the policy lets through what is of the same origin, and nothing inside of the page', async () => {
  const { headers } = await pageOf([]);
  const html = await htmlOf([]);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self'; /);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(html).not.toMatch(/<style|\son\w+=|\sstyle=|<script(?! src="[^"]*" defer>)/i);
});

test('an empty hub says how to begin', async () => {
  const html = await htmlOf([]);
  expect(html).toContain('No source is watched yet.');
  expect(html).toContain('Nothing has changed yet.');
  expect(html).toContain('<html lang="en">');
  expect(html).not.toContain('href="./add"');
  const operator = viewRoutes([sourceListView({ watch: new FakeWatch([]), now: () => T0 })], signedIn('operate'));
  const list = textOf(await callRoute(operator, 'GET /sources'));
  expect(list).toContain('<a class="button main" href="./add">Add a source</a>');
});

test('a source shows its status in words, its times and what ails it', async () => {
  const error = { code: 'PageStatusError', message: 'https://docs.example/ answered with status 503.' };
  const html = await htmlOf([watchedSource(siteConfig('docs'), { health: { ...READ, failures: 3, error } })]);
  expect(html).toContain('<b class="badge error">error</b>');
  expect(html).toContain('<time datetime="2026-03-01T12:00:00Z" title="2026-03-01T12:00:00Z">2026-03-01 12:00</time>');
  expect(html).toContain('answered with status 503.');
  expect(html).toContain('(3 times in a row)');
  expect(html).toContain('<title>1 in error · Tidings</title>');
});

test('quiet, paused, pending and mirrored sources say so', async () => {
  const quiet = { ...READ, lastChangeMs: T0 - 1e9, changeGapsMs: Array(6).fill(60_000), intervalMs: 60_000 };
  const html = await htmlOf([
    watchedSource(siteConfig('a'), { health: quiet }),
    watchedSource(siteConfig('b'), { paused: 'moving <b>house</b>', health: { ...READ, unread: 1 } }),
    watchedSource(siteConfig('c')),
    watchedSource(siteConfig('d'), { health: { ...READ, fallback: 0 } }),
  ]);
  expect(html).toContain('Quieter than its rhythm since 20');
  expect(html).toContain('moving &lt;b&gt;house&lt;/b&gt;');
  expect(html).toContain('<span>not read yet</span>');
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
  expect(html).toContain('<a href="./changes/01KH0000000000000000000003"><bdi>&lt;/td&gt;&lt;script&gt;');
  expect(html).toContain('<a href="https://docs.example/a#set%20up" rel="noopener noreferrer nofollow"><bdi>https://');
  expect(html).toContain('<span class="odd">U+202E</span>gnp.exe');
  expect(html).toContain('"><bdi>click me</bdi></a>');
  expect(html).not.toContain('href="javascript');
  expect(html).not.toMatch(/<(?:script(?! src)|img)/);
  expect(html).toContain('<b>3</b> <span>changes');
});

test('pages that could not be read are remarked, and such sources stand above those that are well', async () => {
  const sources = [
    watchedSource(siteConfig('a'), { health: READ }),
    watchedSource(siteConfig('b'), { health: { ...READ, unread: 3 } }),
    watchedSource(siteConfig('c'), { health: { ...READ, unread: 1 } }),
  ];
  const html = await listOf(sources);
  expect(html).toContain('<p><bdi>3 pages could not be read.</bdi></p>');
  expect(html).toContain('<p><bdi>1 page could not be read.</bdi></p>');
  expect(html.indexOf('<bdi>b</bdi>')).toBeLessThan(html.indexOf('<bdi>a</bdi>'));
});

test('hostile names of sources stay text', async () => {
  const config = { ...siteConfig('docs'), title: '<img src=x onerror=alert(1)>' };
  const html = await listOf([watchedSource(config, { health: READ })]);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).not.toContain('<img');
});

test('of ten thousand sources those in trouble are shown, and how many more there are', async () => {
  const sources = Array.from({ length: 10_000 }, (_, at) => watchedSource(siteConfig(`s${at}`), { health: READ }));
  const error = { code: 'DnsError', message: 'No such name.' };
  sources.push(watchedSource(siteConfig('zzz'), { health: { ...READ, failures: 1, error } }));
  const html = await htmlOf(sources);
  expect(html).toContain('The worst first.');
  expect(html).toContain('zzz');
  expect(html).toContain('<b class="ok">10,000</b>');
  const first = await listOf(sources);
  expect(first.match(/<tr>/g)?.length).toBe(1 + 50);
  expect(first.indexOf('zzz')).toBeLessThan(first.indexOf('<code><bdi>s0'));
  expect(first).toContain('1 to 50 of 10,001.');
  expect(first).toContain('href="./sources?from=50"');
  expect(first.length).toBeLessThan(60_000);
});

test('sources are found by words and by state; what is no state is refused in words', async () => {
  const sources = ['docs', 'blog'].map((id) => watchedSource(siteConfig(id), { health: READ }));
  const routes = routesOf({ watch: new FakeWatch(sources) });
  const found = async (query: string) => jsonOf(await callRoute(routes, `GET /api/v1/views/sources?${query}`));
  expect((await found('q=DOC&state=&done=x')).sources).toMatchObject([{ id: 'docs', word: 'ok' }]);
  expect((await found('state=error')).sources).toEqual([]);
  const page = await callRoute(routes, 'GET /sources?state=blue');
  expect(page.status).toBe(400);
  expect(textOf(page)).toContain('state');
});

test('the newest changes are shown', async () => {
  const html = await htmlOf(
    [],
    Array.from({ length: 80 }, (_, at) => change(80 - at)),
  );
  expect(html).toContain('The newest 20');
  expect(html).toContain('<b>80</b> <span>changes');
});

test('who has the page is told so', async () => {
  const watch = new FakeWatch();
  const clock = { ms: T0 };
  const routes = routesOf({ watch, now: () => clock.ms });
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

test('what each dialect offers is named, linked and announced', async () => {
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
  });
  const watch = new FakeWatch([watchedSource(siteConfig('docs'))]);
  const html = textOf(await callRoute(routesOf({ watch }, new HubShelves([{ dialect: 'made-up', shelf }])), 'GET /'));
  expect(html).toContain('<link rel="alternate" type="text/x-made-up" title="All changes" href="./all.made">');
  expect(html).toContain(
    '<td><a href="./all.made">Made up</a></td><td><span class="copyable"><code>https://hub.example/all.made</code>',
  );
  expect(html).toContain(
    '<td>Of one source</td><td><span class="copyable"><code>https://hub.example/made/{source}</code>',
  );
  expect(html).toContain('<a href="./.well-known/made">Made-up discovery</a>');
});
