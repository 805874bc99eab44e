import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { FakeWatch, NEVER_CHECKED, siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { matchesSchema } from '../../../../test/support/json-schema.ts';
import { NOT_FROM_THE_LOG, shelfOf } from '../../../dialects/shelf.ts';
import { encodePageRecord, type PageVisit } from '../../../log/pages-file.ts';
import type { Change } from '../../../model/change.ts';
import { OPENAPI_SCHEMAS } from '../../http/openapi-schemas.ts';
import { HubShelves } from '../../shelves/hub-shelves.ts';
import { NOBODY, type Viewer } from '../../sign-in/viewer.ts';
import type { CheckRecord, SourceHealth, WatchedSource } from '../../store/hub-store.ts';
import { createFramer } from '../page-frame.ts';
import { viewRoutes } from '../view.ts';
import type { SourcePageParts } from './read-source.ts';
import { SOURCE_FACTS_SCHEMA } from './source-facts.ts';
import { sourcePageView } from './source-page.ts';

const T0 = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const READ: SourceHealth = { ...NEVER_CHECKED, lastCheckMs: T0, lastOkMs: T0, lastChangeMs: T0 };
const OPERATOR: Viewer = { role: 'operate', name: 'ann', formToken: 'token-of-ann' };
const FRAME = { style: 's.css', script: 's.js', icon: 'i.svg', doneWords: {}, canSignIn: false };
const HOSTILE = '</td></dl><script>alert(1)</script>"\'><img src=x onerror=alert(1)>\u202Egnp.\u0000\uD800';

interface Lab extends Partial<Pick<SourcePageParts, 'webSubOf' | 'catalogue'>> {
  readonly checks?: readonly CheckRecord[];
  readonly changes?: readonly Change[];
  readonly visit?: PageVisit;
  readonly viewer?: Viewer;
  readonly feedName?: string;
}

function routesOf(source: WatchedSource, lab: Lab = {}) {
  const watch = new FakeWatch([source]);
  watch.checks = lab.checks ?? [];
  const shelf = shelfOf(NOT_FROM_THE_LOG, {
    routes: () => [],
    feedsOf: ({ id }) => [
      { words: 'Made up', path: `made/${id}.xml`, mediaType: 'text/x-made-up' },
      ...(lab.feedName === undefined ? [] : [{ words: 'Made up', name: lab.feedName, path: 'made/more.xml' }]),
    ],
  });
  const outline = { url: 'https://docs.example/', title: '', extractor: '1', checksum: '', preamble: '', sections: [] };
  const view = sourcePageView({
    watch,
    store: {
      recentChanges: async (limit, id) => (lab.changes ?? []).filter((change) => change.source === id).slice(0, limit),
      pageOf: async () => lab.visit && { record: encodePageRecord({ file: 'f' }, outline, lab.visit) },
    },
    shelves: new HubShelves([{ dialect: 'made-up', shelf }]),
    catalogue: { tallies: async () => [{ day: '2026-03-01', creates: 1, updates: 2, deletes: 0 }] },
    keys: { newestOf: () => undefined },
    webSubOf: () => undefined,
    baseUrl: () => 'https://hub.example/deep/',
    now: () => T0,
    ...lab,
  });
  return viewRoutes([view], { viewers: { viewerOf: () => lab.viewer ?? NOBODY }, frame: createFramer(FRAME) });
}

async function pageOf(source: WatchedSource, lab: Lab = {}): Promise<string> {
  return textOf(await callRoute(routesOf(source, lab), `GET /sources/${source.config.id}`));
}

function checkAt(minute: number, rest: Partial<CheckRecord> = {}): CheckRecord {
  return { source: 'docs', atMs: T0 - minute * MINUTE, tookMs: 1234, outcome: 'ok', changes: 0, ...rest };
}

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

const ERROR = { code: 'PageStatusError', httpStatus: 503, message: 'https://docs.example/ answered with status 503.' };

test('a source shows how it is, when it is looked at next, and its feeds with whole addresses', async () => {
  const html = await pageOf(watchedSource({ ...siteConfig('docs'), title: 'The docs' }, { health: READ }), {
    changes: [change(2), change(1, { source: 'other' })],
  });
  expect(html).toContain('<h1 id="name" data-live="../events"><bdi>The docs</bdi> <b class="badge ok">ok</b></h1>');
  expect(html).toContain('<a href="https://docs.example/" rel="noopener noreferrer nofollow">');
  expect(html).toContain('<dt>Rhythm</dt><dd>Every 60 minutes; it adapts to how often it changes.</dd>');
  expect(html).toContain('<dt>Next look</dt><dd><time datetime="2026-03-01T12:00:00Z"');
  expect(html).toContain('<td><a href="../made/docs.xml"><bdi>Made up</bdi></a></td>');
  expect(html).toContain('<code>https://hub.example/deep/made/docs.xml</code>');
  expect(html).toContain('<code>https://hub.example/deep/events/docs</code>');
  expect(html).toContain('<link rel="alternate" type="text/x-made-up" title="Made up" href="../made/docs.xml">');
  expect(html.match(/href="\.\.\/changes\//g)).toHaveLength(1);
});

test('who is asked is named; mirrors are for who signed in', async () => {
  const config = {
    ...siteConfig('docs'),
    fallbacks: ['https://mirror.example/'],
    sitemap: 'https://map.example/s.xml',
  };
  const source = watchedSource(config as WatchedSource['config']);
  expect(await pageOf(source)).not.toContain('mirror.example');
  expect(await pageOf(source, { viewer: OPERATOR })).toContain(
    'https://mirror.example/</bdi></a>, <a href="https://map',
  );
  const urls = Array.from({ length: 10_000 }, (_, at) => `https://docs.example/${at}`);
  const html = await pageOf(watchedSource({ id: 'docs', kind: 'page', urls }), { viewer: OPERATOR });
  expect(html).toContain('https://docs.example/9</bdi></a> and 9,990 more</dd>');
  expect(html.length).toBeLessThan(30_000);
});

test('one that was never read says so', async () => {
  const html = await pageOf(watchedSource(siteConfig('docs')));
  expect(html).toContain('<b class="badge pending">pending</b>');
  expect(html).toContain('It was not checked yet.');
  expect(html).toContain('Nothing of it has changed yet.');
  expect(html).not.toContain('<svg');
});

test('one that is gone is not found, as a page and as JSON', async () => {
  const routes = routesOf(watchedSource(siteConfig('docs')));
  const page = await callRoute(routes, `GET /sources/${encodeURIComponent(HOSTILE.slice(0, 40))}`);
  expect(page.status).toBe(404);
  expect(textOf(page)).toContain('There is no source');
  expect(textOf(page)).not.toMatch(/<script(?! src)/);
  expect((await callRoute(routes, 'GET /api/v1/views/sources/gone')).status).toBe(404);
});

test('checks are a strip with words, and the newest of them a table with what they cost', async () => {
  const checks = [
    checkAt(0, { outcome: 'error', error: ERROR }),
    checkAt(1, { outcome: 'error', error: ERROR }),
    checkAt(2, { pages: 1200, unread: 3, changes: 2, notes: ['a note'] }),
    checkAt(3, { outcome: 'fallback', tookMs: 12 }),
  ];
  const source = watchedSource(siteConfig('docs'), { health: { ...READ, failures: 2, error: ERROR } });
  const html = await pageOf(source, { checks });
  const summary = '4 checks: 1 ok, 1 by a fallback, 2 failed.';
  expect(html).toContain(`<svg role="img" aria-label="${summary}" viewBox="0 0 50 28"`);
  expect(html).toContain(`<figcaption>${summary}</figcaption>`);
  expect(html).toContain(
    '<rect class="error" x="48" y="0" width="2" height="28"><title>2 checks failed: 2026-03-01T11:59:00Z to 2026-03-01T12:00:00Z</title></rect>',
  );
  expect(html).toContain('data-label="took">1.2 s</td><td class="number" data-label="pages">1,200</td>');
  expect(html).toContain('data-label="took">12 ms</td>');
  expect(html).toContain('<p><bdi>PageStatusError</bdi></p>');
  expect(html).not.toContain('a note');
  const inside = await pageOf(source, { checks, viewer: OPERATOR });
  expect(inside).toContain('<p class="faint"><bdi>a note</bdi></p>');
  expect(inside).toContain('answered with status 503.</bdi></p></td>');
});

test('of 500 checks that are all different, 50 are in the table, and the page stays small', async () => {
  const checks = Array.from({ length: 500 }, (_, at) => checkAt(at, { outcome: at % 2 === 0 ? 'ok' : 'error' }));
  const html = await pageOf(watchedSource(siteConfig('docs'), { health: READ }), { checks });
  expect(html.match(/<rect /g)).toHaveLength(500);
  expect(html.match(/<td>/g)?.length).toBeLessThan(50 * 7);
  expect(html).toContain('50 checks, the newest first.');
  expect(html.length).toBeLessThan(100_000);
  const calm = await pageOf(watchedSource(siteConfig('docs'), { health: READ }), {
    checks: checks.map((check) => ({ ...check, outcome: 'ok' as const })),
  });
  expect(calm.match(/<rect /g)).toHaveLength(1);
});

test('settings, notes, errors in full and where a hub is are for who signed in', async () => {
  const config = { id: 'docs', kind: 'folder', path: '/srv/site', site: 'https://docs.example/' } as const;
  const error = { code: 'FolderError', message: 'Cannot read /srv/site/a.html.' };
  const health = { ...READ, failures: 1, error, notes: ['frame: changed on 7 pages.', 'mind /srv/notes'] };
  const source = watchedSource(config, { health, origin: 'config' });
  const websub = {
    hub: 'https://hub.of.docs.example/',
    state: 'failed',
    misses: 2,
    trusted: false,
    reason: 'no',
  } as const;
  const webSubOf = () => websub;
  const outsideOf = await pageOf(source, { webSubOf });
  expect(outsideOf).toContain('FolderError: the log of the hub says more.');
  expect(outsideOf).toContain('The hub of its feed cannot be used.');
  expect(outsideOf).not.toContain('/srv');
  expect(outsideOf).not.toContain('hub.of.docs');
  expect(outsideOf).not.toContain('Settings');
  const inside = await pageOf(source, { webSubOf, viewer: OPERATOR });
  expect(inside).toContain('It stands in the config file of the hub, and is changed there.');
  expect(inside).toContain('<dt>path</dt><dd><code><bdi>/srv/site</bdi></code></dd>');
  expect(inside).toContain('Cannot read /srv/site/a.html.');
  expect(inside).toContain('<h2>Held back</h2>\n<p><bdi>frame: changed on 7 pages.</bdi></p>');
  expect(inside).toContain('https://hub.of.docs.example/');
});

test('who wants it to be left in peace is named: operator, owner, key, host', async () => {
  const paused = (rest: Partial<WatchedSource>) => pageOf(watchedSource(siteConfig('docs'), rest));
  expect(await paused({ paused: 'moving' })).toContain('<b>Paused by the operator</b>: <bdi>moving</bdi>');
  expect(await paused({ paused: ' ' })).toContain('<b>Paused by the operator</b></p>');
  expect(await paused({ paused: 'x', pausedBy: 'domain' })).toContain('Paused by the owner of its domain</b>');
  expect(await paused({ paused: 'mine', pausedBy: 'owner' })).toContain('Paused by the owner of its API key</b>');
  expect(await paused({ paused: 'x', pausedBy: 'key' })).toContain('Paused by the hub</b>');
  expect(await paused({ paused: 'moving' })).toContain('<dt>Next look</dt><dd>when it is resumed</dd>');
  const pause = { by: 'docs.example', untilMs: T0 + MINUTE };
  expect(await paused({ health: { ...READ, pause } })).toContain('<bdi>docs.example</bdi> asked to be left in peace');
  expect(await paused({ health: { ...READ, pause: { ...pause, untilMs: T0 } } })).not.toContain('left in peace');
});

test('honesty, the ladder, terms and what is held back are told in words', async () => {
  const block = { where: 'div.related', pages: 3, changed: 9, looks: 10, since: '2026-02-01T00:00:00Z' };
  const honesty = {
    atMs: T0,
    sampled: 5,
    compared: 5,
    toldAndTrue: 3,
    toldNotSeen: 1,
    seenNotTold: 1,
    timesOff: { median: null, max: null },
    pages: [{ url: 'https://docs.example/a', verdict: 'told-not-seen', told: ['update'], seen: [] }],
  };
  const ladder = {
    rung: 'pages',
    dialect: 'aicf',
    sinceMs: T0,
    reason: 'It is 404.',
    failures: 2,
    turns: 1,
    falls: [],
  } as const;
  const health = { ...READ, volatile: [block], unstable: ['https://docs.example/odd'], honesty, ladder };
  const source = watchedSource(siteConfig('docs'), { health });
  const visit = { terms: { uses: 'search=yes ai-train=no' } };
  const html = await pageOf(source, { visit });
  expect(html).toContain('<code><bdi>div.related</bdi></code></td><td data-label="on">3 pages</td>');
  expect(html).toContain('9 of 10 looks');
  expect(html).toContain('https://docs.example/odd');
  expect(html).toContain('<li><b class="error">1</b> <span>told, not seen</span></li>');
  expect(html).toContain('its pages; its feed (<bdi>aicf</bdi>) cannot be followed, since <time');
  expect(html).toContain('<dd>Its publisher says: search: yes, training of models: no.</dd>');
  expect(html).not.toContain('It is 404.');
  expect(html).not.toContain('Pages with findings.');
  const inside = await pageOf(source, { visit, viewer: OPERATOR });
  expect(inside).toContain('It is 404.');
  expect(inside).toContain('Pages with findings.');
  const feed = { id: 'docs', kind: 'feed', url: 'https://docs.example/', dialect: 'aicf' } as const;
  expect(await pageOf(watchedSource(feed))).toContain('Nobody has compared its feed with its pages yet.');
});

test('hostile strings in every field stay text', async () => {
  const url = `https://docs.example/${HOSTILE}`;
  const health: SourceHealth = {
    ...READ,
    failures: 1,
    error: { code: HOSTILE, message: HOSTILE },
    pause: { by: HOSTILE, untilMs: T0 + MINUTE },
    notes: [HOSTILE, `frame: ${HOSTILE}`],
    volatile: [{ where: HOSTILE, url, changed: 1, looks: 1, since: HOSTILE }],
    unstable: [url, HOSTILE, `javascript:${HOSTILE}`],
    ladder: { rung: 'pages', dialect: HOSTILE, sinceMs: T0, reason: HOSTILE, failures: 0, turns: 1, falls: [] },
    honesty: {
      atMs: T0,
      sampled: 1,
      compared: 1,
      toldAndTrue: 0,
      toldNotSeen: 1,
      seenNotTold: 0,
      timesOff: { median: null, max: null },
      pages: [{ url: HOSTILE, verdict: HOSTILE, told: [HOSTILE], seen: ['x'.repeat(1_000_000)] }],
    },
  };
  const config = {
    ...siteConfig('docs'),
    title: `${HOSTILE}${'x'.repeat(1_000_000)}`,
    tags: [HOSTILE],
    ignore: [HOSTILE],
  };
  const source = watchedSource(config, { health, paused: HOSTILE, owner: 'someone' });
  const html = await pageOf(source, {
    viewer: OPERATOR,
    checks: [checkAt(0, { outcome: 'error', error: { code: HOSTILE, message: HOSTILE }, notes: [HOSTILE] })],
    changes: [change(1, { title: HOSTILE, heading: HOSTILE, url: `javascript:${HOSTILE}`, anchor: HOSTILE })],
    webSubOf: () => ({ hub: url, state: 'failed', misses: 1, trusted: false, reason: HOSTILE }),
    feedName: HOSTILE,
    visit: { terms: { uses: HOSTILE } },
  });
  expect(html).not.toMatch(/<script(?! src="[^"]*" defer>)|<img|\son\w+=[^&]*>|href="javascript/i);
  expect(html).not.toContain('\u202E');
  expect(html).not.toContain('\u0000');
  expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(15);
  expect(html.length).toBeLessThan(100_000);
});

test('the facts are those of the schema, for who signed in and for others', async () => {
  const health = { ...READ, failures: 1, error: ERROR, notes: ['a'] };
  const source = watchedSource(siteConfig('docs'), { health });
  const written = JSON.stringify({ ...SOURCE_FACTS_SCHEMA, $defs: OPENAPI_SCHEMAS });
  const schema = JSON.parse(written.replaceAll('#/components/schemas/', '#/$defs/'));
  const routes = routesOf(source, { checks: [checkAt(0)], changes: [change(1)] });
  for (const isAdmin of [true, false]) {
    const facts = jsonOf(await callRoute(routes, 'GET /api/v1/views/sources/docs', { isAdmin }));
    expect(matchesSchema(schema, facts)).toBe(true);
    expect('settings' in facts).toBe(isAdmin);
  }
});
