import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import type { AIDocument } from '../codecs/aidocument/wire.ts';
import { AccessDeniedError, EmptyPageError, PageGoneError } from '../errors/crawl-error.ts';
import { ConnectionError } from '../errors/fetch-error.ts';
import { RenderError } from '../errors/render-error.ts';
import type { HttpHeaders } from '../fetch/http-client.ts';
import type { LivePage, LivePageRequest, LivePages, NotModified, PageMediaType } from './live-page.ts';
import { MemoryDocumentCache } from './memory-document-cache.ts';
import { readCachedDocument } from './read-document.ts';
import type { Renderer } from './renderer.ts';

const URL_A = 'https://docs.example/a';
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 4, 13, 12);
const PAGE = '<html lang="en"><h1>Limits</h1><p>Every account has limits, and they are counted.</p></html>';
const ETAG = { etag: '"1"', 'cache-control': 'max-age=60' };

clause(['AWI-CA1', 'AWI-CA4', 'AWI-CA5'], 'the first call is a miss, the second a hit that asks nobody', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  const first = await world.read();
  expect(first.cache).toEqual({ status: 'miss', origin_contacted: true, body_fetched: true });
  world.nowMs += 59_000;
  const second = await world.read();
  expect(second.cache).toEqual({ status: 'hit', origin_contacted: false, body_fetched: false });
  expect(world.requests).toHaveLength(1);
  expect({ ...second, cache: first.cache }).toEqual(first);
});

clause(['AWI-CA7', 'AWI-SRC1', 'AWI-SRC9'], 'an expired copy that the origin confirms is revalidated', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  const first = await world.read();
  world.nowMs += 61_000;
  world.confirm({ 'cache-control': 'max-age=300' });
  const second = await world.read();
  expect(world.requests[1]?.validators).toEqual({ etag: '"1"' });
  expect(second.cache).toEqual({ status: 'stale_revalidated', origin_contacted: true, body_fetched: false });
  expect(second.source).toEqual(first.source);
  expect(second.source).toMatchObject({ fetched_at: '2026-05-13T12:00:00Z', status_code: 200 });

  world.nowMs += 299_000;
  expect((await world.read()).cache.status, 'fresh by what the 304 said').toBe('hit');
  world.nowMs += 2000;
  world.confirm({ etag: '"1b"' });
  expect((await world.read()).cache.status).toBe('stale_revalidated');
  world.nowMs += 299_000;
  expect((await world.read()).cache.status, 'what the 304 left unsaid stays').toBe('hit');
  expect((await world.read({ refresh: true })).cache.status).toBe('stale_revalidated');
  expect(world.requests.at(-1)?.validators).toEqual({ etag: '"1b"' });
});

clause('AWI-CA5', 'an expired copy that has changed is a miss', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  await world.read();
  world.nowMs += 61_000;
  world.serve({ headers: { ...ETAG, etag: '"2"' }, text: '<h1>Limits</h1><p>They have changed meanwhile.</p>' });
  const second = await world.read();
  expect(second.cache).toEqual({ status: 'miss', origin_contacted: true, body_fetched: true });
  expect(second.source.fetched_at).toBe('2026-05-13T12:01:01Z');
  expect((await world.read()).content.markdown).toContain('changed meanwhile');
});

clause(['AWI-CA6', 'AWI-CA7', 'AWI-SRC10'], 'force_refresh asks always, and says what came of it', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  expect((await world.read({ refresh: true })).cache).toEqual({
    status: 'refreshed',
    origin_contacted: true,
    body_fetched: true,
  });
  expect((await world.read({ refresh: true })).cache.status, 'a 200 all the same').toBe('refreshed');
  world.confirm();
  const confirmed = await world.read({ refresh: true });
  expect(confirmed.cache).toEqual({ status: 'stale_revalidated', origin_contacted: true, body_fetched: false });
  expect(confirmed.source.freshness_policy).toBe('force_refresh');
  expect((await world.read()).source.freshness_policy).toBe('cache_first');
});

clause('AWI-SCH6', 'the ref of an unchanged page is the same in every cache state', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  const refs = [(await world.read()).schema.ref, (await world.read()).schema.ref];
  refs.push((await world.read({ refresh: true })).schema.ref);
  world.confirm();
  refs.push((await world.read({ refresh: true })).schema.ref);
  world.serve({ headers: ETAG, text: PAGE.replace('<h1>', '<nav>Theme</nav><script nonce="7">x</script><h1>') });
  refs.push((await world.read({ refresh: true })).schema.ref);
  expect(refs[0]).toMatch(/^aidoc:sha256:[0-9a-f]{32}$/);
  expect(new Set(refs).size).toBe(1);
});

clause('AWI-CA2', 'an origin that fails gives an error, never the old copy, which stays', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  await world.read();
  world.nowMs += 61_000;
  world.fail(new ConnectionError(new URL(URL_A), 'reset'));
  await expect(world.read()).rejects.toThrow(ConnectionError);
  world.confirm();
  expect((await world.read()).cache.status).toBe('stale_revalidated');
  world.fail(new ConnectionError(new URL(URL_A), 'reset'));
  await expect(world.read({ refresh: true })).rejects.toThrow(ConnectionError);
  expect((await world.read()).cache.status, 'still fresh').toBe('hit');
});

clause('AWI-SE5', 'a page that is gone or behind a wall now is not handed out from the cache', async () => {
  for (const error of [new PageGoneError(new URL(URL_A), 404), new AccessDeniedError(new URL(URL_A), 403)]) {
    const world = newWorld();
    world.serve({ headers: ETAG });
    await world.read();
    world.fail(error);
    await expect(world.read({ refresh: true })).rejects.toThrow(error);
    await expect(world.read(), 'no copy is left').rejects.toThrow(error);
    expect(world.requests.at(-1)?.validators).toBeUndefined();
  }
});

clause(['AWI-SRC2', 'AWI-SRC3'], 'the document is that of the URL behind the redirect, found by both', async () => {
  const world = newWorld();
  world.serve({ headers: { 'cache-control': 'max-age=86400', etag: '"1"' }, url: 'https://docs.example/b' });
  expect((await world.read()).source.url).toBe('https://docs.example/b');
  expect((await world.read({ url: 'https://docs.example/b#part' })).cache.status).toBe('hit');
  expect((await world.read({ url: `${URL_A}#other` })).cache.status).toBe('hit');
  world.nowMs += 6 * MINUTE_MS;
  expect((await world.read({ url: 'https://docs.example/b' })).cache.status).toBe('hit');
  world.confirm({}, 'https://docs.example/b');
  expect((await world.read()).cache.status, 'a redirect is believed for five minutes').toBe('stale_revalidated');
  expect((await world.read()).cache.status).toBe('hit');
});

test.each([['no-store'], ['no-cache'], ['max-age=0']])(
  'a redirect to a page that is %s is asked for each time',
  async (value) => {
    const world = newWorld();
    world.serve({ headers: { 'cache-control': value }, url: 'https://docs.example/b' });
    await world.read();
    expect((await world.read()).cache.status).toBe('miss');
    expect(world.requests).toHaveLength(2);
  },
);

test('a page that varies by User-Agent is kept for the one it was sent to', async () => {
  const world = newWorld();
  world.serve({ headers: { ...ETAG, vary: 'Accept-Encoding, user-AGENT' } });
  await world.read({ userAgent: 'one' });
  expect((await world.read({ userAgent: 'one' })).cache.status).toBe('hit');
  expect((await world.read({ userAgent: 'two' })).cache.status).toBe('miss');
  expect(world.requests.at(-1)?.validators, 'they are those of another page').toBeUndefined();
  expect((await world.read({ userAgent: 'one' })).cache.status).toBe('miss');

  world.serve({ headers: { ...ETAG, vary: 'Accept' } });
  await world.read({ userAgent: 'one', refresh: true });
  expect((await world.read({ userAgent: 'two' })).cache.status).toBe('hit');
  world.confirm({ vary: 'User-Agent' });
  expect((await world.read({ userAgent: 'two', refresh: true })).cache.status).toBe('stale_revalidated');
  expect((await world.read({ userAgent: 'two' })).cache.status, 'what the 304 says counts').toBe('hit');
  world.serve({ headers: ETAG });
  expect((await world.read({ userAgent: 'one' })).cache.status).toBe('miss');
});

test('a 304 from another URL than the copy’s says nothing about the copy', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG, url: 'https://docs.example/b' });
  await world.read();
  world.nowMs += 61_000;
  world.confirm({}, 'https://docs.example/c');
  world.serveNext({ headers: ETAG, url: 'https://docs.example/c', text: '<h1>C</h1><p>This is another page.</p>' });
  const moved = await world.read();
  expect(moved).toMatchObject({ source: { url: 'https://docs.example/c' }, cache: { status: 'miss' } });
  expect(world.requests.map(({ validators }) => validators)).toEqual([undefined, { etag: '"1"' }, undefined]);
  expect((await world.read()).source.url).toBe('https://docs.example/c');
});

test.each<[string, HttpHeaders]>([
  ['no-store', { ...ETAG, 'cache-control': 'no-store, max-age=60' }],
  ['Vary: *', { ...ETAG, vary: '*' }],
])('an answer with %s is not kept, nor what was kept before it', async (_, headers) => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  await world.read();
  world.serve({ headers });
  await world.read({ refresh: true });
  expect((await world.read()).cache.status).toBe('miss');
  expect(world.requests.map(({ validators }) => validators)).toEqual([undefined, { etag: '"1"' }, undefined]);

  world.serve({ headers: ETAG });
  await world.read();
  world.confirm(headers);
  expect((await world.read({ refresh: true })).cache.status).toBe('stale_revalidated');
  world.serve({ headers: ETAG });
  expect((await world.read()).cache.status, 'the 304 took it back').toBe('miss');
});

test('no-cache is kept, and confirmed at each call', async () => {
  const world = newWorld();
  world.serve({ headers: { etag: '"1"', 'cache-control': 'no-cache' } });
  await world.read();
  world.confirm();
  expect((await world.read()).cache.status).toBe('stale_revalidated');
  expect((await world.read()).cache.status).toBe('stale_revalidated');
});

test('a copy of other rules, or from a time to come, is not used unasked', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  await world.read();
  world.nowMs -= 10_000;
  world.confirm();
  expect((await world.read()).cache.status).toBe('stale_revalidated');

  const kept = await world.cache.find({ url: URL_A, variant: 'static' });
  if (kept === undefined) throw new Error('nothing was kept');
  await world.cache.keep({ ...kept, reader: '0' });
  world.serve({ headers: ETAG });
  expect((await world.read()).cache.status).toBe('miss');
  expect(world.requests.at(-1)?.validators).toBeUndefined();
});

test('a page without content is an error of its own, and is not kept', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG, text: '<html><body><div id="app"></div><script src="/app.js"></script></body></html>' });
  await expect(world.read()).rejects.toThrow(EmptyPageError);
  await expect(world.read()).rejects.toThrow(/no readable content.*--render/);
  expect(world.requests.map(({ validators }) => validators)).toEqual([undefined, undefined]);
});

test.each<[PageMediaType, string]>([
  ['text/plain', 'Every account has limits.\n\nThey are counted.\n'],
  ['text/markdown', '# Limits\n\nEvery account has *limits*.\n'],
])('%s is read as text', async (mediaType, text) => {
  const world = newWorld();
  world.serve({ headers: ETAG, mediaType, text });
  const document = await world.read();
  expect(document.content.markdown).toContain('Every account has');
  expect((await world.read()).schema.ref).toBe(document.schema.ref);
  expect((await world.read({ renderer: rendererOf(async () => 'never') })).source.render_mode).toBe('static');
});

test('a rendered page is a snapshot of its own', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  const renderer = rendererOf(async ({ html }) => html.replace('counted', 'drawn'));
  await world.read();
  const rendered = await world.read({ renderer });
  expect(rendered).toMatchObject({ source: { render_mode: 'rendered' }, cache: { status: 'miss' } });
  expect(rendered.content.markdown).toContain('drawn');
  expect((await world.read({ renderer })).cache.status).toBe('hit');
  const plain = await world.read();
  expect(plain).toMatchObject({ source: { render_mode: 'static' }, cache: { status: 'hit' } });
  expect(plain.content.markdown).toContain('counted');
});

clause(
  'AWI-SRC8',
  'where rendering fails the static page is given, and said so, but not kept as rendered',
  async () => {
    const world = newWorld();
    world.serve({ headers: ETAG });
    const failing = rendererOf(async ({ url }) => {
      throw new RenderError(url, 'the browser was killed');
    });
    const document = await world.read({ renderer: failing });
    expect(document).toMatchObject({
      source: { render_mode: 'static_after_render_failure' },
      cache: { status: 'miss' },
    });
    expect(document.content.markdown).toContain('counted');
    expect(world.said).toEqual([expect.stringContaining('the browser was killed')]);
    expect((await world.read()).source.render_mode).toBe('static');
    const working = rendererOf(async ({ html }) => html);
    expect(await world.read({ renderer: working })).toMatchObject({
      source: { render_mode: 'rendered' },
      cache: { status: 'miss' },
    });
  },
);

test('what the fetch took of the time, the renderer does not get', async () => {
  const world = newWorld();
  world.serve({ headers: ETAG });
  world.fetchMs = 4000;
  const left: number[] = [];
  const renderer = rendererOf(async ({ html, deadlineMs }) => {
    left.push(deadlineMs);
    return html;
  });
  await world.read({ renderer });
  expect(left).toEqual([6000]);
});

interface Served {
  readonly headers?: HttpHeaders;
  readonly text?: string;
  readonly url?: string;
  readonly mediaType?: PageMediaType;
}

interface ReadOptions {
  readonly url?: string;
  readonly refresh?: boolean;
  readonly renderer?: Renderer;
  readonly userAgent?: string;
}

/** A clock, a cache, and one page that a test can change. */
function newWorld() {
  const cache = new MemoryDocumentCache();
  const requests: LivePageRequest[] = [];
  const said: string[] = [];
  type Next = (request: LivePageRequest) => LivePage | NotModified;
  let answers: Next[] = [];
  const pages: LivePages = {
    async read(request) {
      requests.push(request);
      world.nowMs += world.fetchMs;
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) throw new Error('nothing is served');
      return answer(request);
    },
  };
  const served =
    ({ headers = {}, text = PAGE, url = URL_A, mediaType = 'text/html' }: Served): Next =>
    () => ({
      kind: 'page',
      url: new URL(url),
      status: 200,
      headers,
      mediaType,
      text,
      bytesHash: '',
      bytesLength: 0,
      fetchedAtMs: world.nowMs,
    });
  const world = {
    cache,
    requests,
    said,
    nowMs: START_MS,
    fetchMs: 0,
    serve: (page: Served) => {
      answers = [served(page)];
    },
    confirm: (headers: HttpHeaders = {}, url = URL_A) => {
      answers = [() => ({ kind: 'not-modified', url: new URL(url), headers, fetchedAtMs: world.nowMs })];
    },
    fail: (error: Error) => {
      answers = [
        () => {
          throw error;
        },
      ];
    },
    /** After one answer of what is served now. */
    serveNext: (page: Served) => answers.push(served(page)),
    read: ({ url = URL_A, refresh = false, renderer, userAgent = 'tests' }: ReadOptions = {}): Promise<AIDocument> =>
      readCachedDocument(
        { url: new URL(url), refresh, timeoutMs: 10_000, signal: new AbortController().signal },
        { pages, cache, renderer, userAgent, now: () => world.nowMs, onDiagnostic: (message) => said.push(message) },
      ),
  };
  return world;
}

function rendererOf(render: Renderer['render']): Renderer {
  return { render, [Symbol.asyncDispose]: async () => {} };
}
