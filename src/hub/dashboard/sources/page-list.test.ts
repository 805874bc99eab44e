import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { FakeWatch, siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { matchesSchema } from '../../../../test/support/json-schema.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { openCatalogue } from '../../../doors/open-catalogue.ts';
import { catalogueUnavailableError } from '../../../errors/catalogue-error.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../../../io/sqlite/hub-store.ts';
import { encodePageRecord } from '../../../log/pages-file.ts';
import type { ChangeDraft } from '../../../model/change.ts';
import { NOBODY } from '../../sign-in/viewer.ts';
import type { PageState } from '../../store/hub-store.ts';
import { createFramer } from '../page-frame.ts';
import { viewRoutes } from '../view.ts';
import { type PageListParts, pageListView } from './page-list.ts';
import { PAGE_LIST_SCHEMA } from './page-list-facts.ts';

const FRAME = { style: 's', script: 's', icon: 'i', doneWords: {}, canSignIn: false };
const HOSTILE = '</td><script>alert(1)</script>"\'\u202E';

let folder: string;
let store: SqliteHubStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-pages-'));
  store = await openSqliteHubStore({ folder });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function routesOf(parts: Omit<PageListParts, 'watch'>, watch = new FakeWatch([watchedSource(siteConfig('docs'))])) {
  const view = pageListView({ ...parts, watch });
  return viewRoutes([view], { viewers: { viewerOf: () => NOBODY }, frame: createFramer(FRAME) });
}

async function catalogued() {
  const catalogue = await openCatalogue({ folder, store, epoch: undefined, onProblem: () => {} });
  await catalogue.mend();
  return catalogue;
}

function pageState(url: string, title = '', anchors: readonly string[] = []): PageState {
  const sections = anchors.map((anchor) => ({ anchor, checksum: 'sha256:00', body: 'sha256:00' }));
  const outline = { url, title, extractor: '1', checksum: 'sha256:00', preamble: 'sha256:00', sections };
  return { record: encodePageRecord({ file: 'f' }, outline, {}) };
}

function draft(url: string, rest: Partial<ChangeDraft> = {}): ChangeDraft {
  return { source: 'docs', action: 'create', url, ...rest };
}

test('pages are listed with when each changed last, found by words, and those that are gone are marked', async () => {
  const urls = ['a', 'b', 'c'].map((name) => `https://docs.example/${name}`);
  const [a = '', b = '', c = ''] = urls;
  await store.commit({
    source: 'docs',
    drafts: urls.map((url) => draft(url, { title: `Page ${url.at(-1)}` })),
    pages: { put: urls.map((url) => pageState(url, `Page ${url.at(-1)}`)), remove: [] },
  });
  await store.commit({ source: 'docs', drafts: [draft(a, { action: 'update', title: 'Page a', anchor: 'setup' })] });
  const gone = { source: 'docs', drafts: [draft(c, { action: 'delete' })], pages: { put: [], remove: [c] } };
  await store.commit(gone);
  await using catalogue = await catalogued();
  const routes = routesOf({ store, catalogue });
  const facts = jsonOf(await callRoute(routes, 'GET /api/v1/views/sources/docs/pages'));
  expect(matchesSchema(PAGE_LIST_SCHEMA, facts)).toBe(true);
  expect(facts.pages).toMatchObject([
    { url: c, isHere: false, changes: 2, last: { action: 'delete' } },
    { url: a, isHere: true, title: 'Page a', changes: 2, last: { action: 'update' } },
    { url: b, isHere: true, changes: 1 },
  ]);
  const found = jsonOf(await callRoute(routes, 'GET /api/v1/views/sources/docs/pages?q=page+b&done=x'));
  expect(found.pages.map(({ url }: { url: string }) => url)).toEqual([b]);
  const html = textOf(await callRoute(routes, 'GET /sources/docs/pages'));
  expect(html).toContain(`<a href="../../sources/docs/pages?url=${encodeURIComponent(a)}"><bdi>Page a</bdi></a>`);
  expect(html).toContain('<span class="badge">gone</span>');
  expect(html).toContain(`href="../../timeline?source=docs&amp;url=${encodeURIComponent(a)}"`);
  const none = textOf(await callRoute(routes, 'GET /sources/docs/pages?q=nowhere'));
  expect(none).toContain('No page fits.');
});

test('a page has its sections in its own order, with when each changed last, and those that are gone behind them', async () => {
  const url = 'https://docs.example/a';
  const told = (anchor: string, heading: string) => draft(url, { action: 'update', anchor, heading });
  await store.commit({
    source: 'docs',
    drafts: [draft(url)],
    pages: { put: [pageState(url, 'Page a', ['intro', 'setup', 'end'])], remove: [] },
  });
  await store.commit({ source: 'docs', drafts: [told('end', 'The end'), told('gone', 'Long gone')] });
  await using catalogue = await catalogued();
  const routes = routesOf({ store, catalogue });
  const query = `sources/docs/pages?url=${encodeURIComponent(url)}`;
  const facts = jsonOf(await callRoute(routes, `GET /api/v1/views/${query}`));
  expect(matchesSchema(PAGE_LIST_SCHEMA, facts)).toBe(true);
  expect(facts.page).toMatchObject({
    title: 'Page a',
    isHere: true,
    more: 0,
    sections: [
      { anchor: 'intro', isHere: true },
      { anchor: 'setup', isHere: true },
      { anchor: 'end', heading: 'The end', isHere: true, last: { action: 'update' } },
      { anchor: 'gone', heading: 'Long gone', isHere: false, last: { action: 'update' } },
    ],
  });
  const html = textOf(await callRoute(routes, `GET /${query}`));
  expect(html).toContain('<span class="faint">not told yet</span>');
  expect(html).toContain(`timeline?source=docs&amp;url=${encodeURIComponent(url)}&amp;anchor=end"`);
});

test('of many pages some are listed at a time, by change and by address, each once', async () => {
  const many = shortOrLong(500, 10_000);
  const urls = Array.from({ length: many }, (_, at) => `https://docs.example/${String(at).padStart(5, '0')}`);
  await store.commit({
    source: 'docs',
    drafts: urls.map((url) => draft(url, { title: 'A page' })),
    pages: { put: urls.map((url) => pageState(url, 'A page')), remove: [] },
  });
  await using catalogue = await catalogued();
  const routes = routesOf({ store, catalogue });
  const ask = async (query: string) => jsonOf(await callRoute(routes, `GET /api/v1/views/sources/docs/pages?${query}`));
  const seen = new Set<string>();
  for (let query: string | undefined = 'q=page'; query !== undefined; ) {
    const { pages, before } = await ask(query);
    expect(pages.length).toBeLessThanOrEqual(50);
    for (const { url } of pages) seen.add(url);
    query = before === undefined || seen.size >= 150 ? undefined : `q=page&before=${before}`;
  }
  expect([...seen]).toEqual(urls.toReversed().slice(0, 150));
  const first = await ask('order=address');
  expect(first.pages).toHaveLength(50);
  expect(first.pages[0]).toMatchObject({ url: urls[0], title: 'A page', isHere: true, last: { action: 'create' } });
  const next = await ask(`order=address&after=${encodeURIComponent(first.after)}`);
  expect(next.pages[0].url).toBe(urls[50]);
  const last = await ask(`order=address&after=${encodeURIComponent(urls.at(-2) ?? '')}`);
  expect(last.pages).toHaveLength(1);
  expect(last).not.toHaveProperty('after');
  const html = textOf(await callRoute(routes, 'GET /sources/docs/pages?order=address'));
  expect(html).toContain(
    `rel="next" href="../../sources/docs/pages?order=address&amp;after=${encodeURIComponent(urls[49] ?? '')}"`,
  );
  expect(html.length).toBeLessThan(60_000);
});

test('hostile titles, addresses, headings and words stay text', async () => {
  const url = `https://docs.example/${HOSTILE}`;
  await store.commit({
    source: 'docs',
    drafts: [draft(url, { title: HOSTILE, anchor: HOSTILE, heading: `${HOSTILE}${'x'.repeat(100_000)}` })],
    pages: { put: [pageState('https://docs.example/b', HOSTILE, [HOSTILE])], remove: [] },
  });
  await using catalogue = await catalogued();
  const routes = routesOf(
    { store, catalogue },
    new FakeWatch([watchedSource({ ...siteConfig('docs'), title: HOSTILE })]),
  );
  for (const query of [
    '',
    `q=${encodeURIComponent(HOSTILE)}`,
    'order=address',
    `url=${encodeURIComponent(url)}`,
    'url=https://docs.example/b',
  ]) {
    const html = textOf(await callRoute(routes, `GET /sources/docs/pages?${query}`));
    expect(html).not.toMatch(/<script(?! src)|href="javascript/);
    expect(html.replace(/value="[^"]*"/, '')).not.toContain('\u202E');
    expect(html).toContain('&lt;script&gt;');
    expect(html.length).toBeLessThan(20_000);
  }
});

test('a source that is gone, an order that is none and an index that is away are said', async () => {
  await using catalogue = await catalogued();
  const routes = routesOf({ store, catalogue });
  expect((await callRoute(routes, 'GET /sources/gone/pages')).status).toBe(404);
  expect((await callRoute(routes, 'GET /sources/docs/pages?order=size')).status).toBe(400);
  expect((await callRoute(routes, 'GET /sources/docs/pages?before=-1')).status).toBe(400);
  expect(textOf(await callRoute(routes, 'GET /sources/docs/pages'))).toContain('The log tells of no page');
  expect(textOf(await callRoute(routes, 'GET /sources/docs/pages?order=address'))).toContain(
    'No page of it is held here.',
  );
  const away = () => Promise.reject(catalogueUnavailableError(new Error('/srv/hub is full')));
  const without = routesOf({ store, catalogue: { pages: away, sections: away, timeline: away } });
  const answer = await callRoute(without, 'GET /sources/docs/pages');
  expect(answer.status).toBe(503);
  expect(textOf(answer)).not.toContain('/srv');
  expect((await callRoute(without, 'GET /sources/docs/pages?order=address')).status).toBe(200);
  expect((await callRoute(without, 'GET /sources/docs/pages?url=https://docs.example/')).status).toBe(200);
});
