import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { bytesOf, createFeedLab, type FeedLab, LAB_START_MS } from '../../../../test/support/feed-lab.ts';
import { decodeAicfDiscovery } from '../../../codecs/aicf/decode.ts';
import { isPushed } from '../../../hub/http/pushed-body.ts';
import type { HubResponse } from '../../../hub/http/route.ts';
import { type FeedRouteParts, feedRoutes } from './feed-routes.ts';

const LATER_MS = LAB_START_MS + 3600_000;

/** Asks the routes as a server would: by path and headers. */
function createHub(shelf: FeedRouteParts['shelf'], hub: Partial<FeedRouteParts['hub']> = {}, now = () => LATER_MS) {
  const isSource = (id: string) => ['docs', 'blog', 'quiet'].includes(id);
  const routes = feedRoutes({ shelf, hub: { baseUrl: () => 'https://hub.example/base/', isSource, ...hub }, now });
  return (
    path: string,
    headers: Record<string, string | undefined> = {},
    method = 'GET',
  ): HubResponse | Promise<HubResponse> => {
    for (const route of routes) {
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      const match = new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path);
      if (match === null) continue;
      expect(route).toMatchObject({ method: 'GET', access: 'open', cors: true });
      const params = Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
      const signal = new AbortController().signal;
      return route.handle({
        method,
        params,
        query: new URLSearchParams(),
        headers,
        body: undefined,
        isAdmin: false,
        clientIp: '127.0.0.1',
        signal,
      });
    }
    throw new Error(`no route for ${path}`);
  };
}

const bodyOf = async ({ body }: HubResponse) =>
  bytesOf(typeof body === 'string' ? Buffer.from(body) : body === undefined || isPushed(body) ? Buffer.of() : body);
const textOf = async (response: HubResponse | Promise<HubResponse>) => (await bodyOf(await response)).toString();

async function withFeeds(run: (lab: FeedLab, shelf: Awaited<ReturnType<FeedLab['open']>>) => Promise<void>) {
  await using lab = await createFeedLab('text-edit');
  await using shelf = await lab.open();
  await shelf.add(lab.commit('docs', 'blog', 'docs', 'gone'));
  await run(lab, shelf);
}

clause(['AICF-F1', 'AICF-H1'], 'the feeds are served whole, with all that a cache needs', () =>
  withFeeds(async (lab, shelf) => {
    const get = createHub(shelf);
    for (const [path, name] of [
      ['/ai-changes.ndjson', '_all'],
      ['/aicf/docs.ndjson', 'docs'],
      ['/aicf/gone.ndjson', 'gone'],
    ] as const) {
      const response = await get(path);
      const text = lab.derived(name);
      expect(await textOf(response)).toBe(text);
      expect(response.status).toBe(200);
      expect(response.also).toEqual({ 'content-length': String(text.length) });
      expect(response.headers).toEqual({
        'content-type': 'application/x-ndjson',
        etag: expect.stringMatching(/^"01J\w+\.\d+"$/),
        'last-modified': expect.stringMatching(/GMT$/),
        'cache-control': 'no-cache',
        vary: 'accept-encoding',
        'accept-ranges': 'bytes',
      });
      expect(await get(path, {}, 'HEAD')).toEqual({
        status: 200,
        headers: response.headers,
        also: response.also,
      });
    }
    expect((await get('/ai-changes.ndjson')).headers['last-modified']).toBe('Thu, 01 Jan 2026 00:00:04 GMT');
  }),
);

test('with a ttl, feeds may be kept for that long; discovery is always asked for again', () =>
  withFeeds(async (_, shelf) => {
    const get = createHub(shelf, { ttlSeconds: 60 });
    expect((await get('/ai-changes.ndjson')).headers['cache-control']).toBe('public, max-age=60');
    expect((await get('/.well-known/ai-changefeed')).headers['cache-control']).toBe('no-cache');
  }));

test('a feed without changes is empty, and its ETag stays', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  const get = createHub(shelf);
  for (const path of ['/ai-changes.ndjson', '/aicf/quiet.ndjson']) {
    const response = await get(path, { 'accept-encoding': 'gzip, identity;q=0' });
    expect(response).toMatchObject({ status: 200, headers: { etag: '"0"' }, also: { 'content-length': '0' } });
    expect(response.headers).not.toHaveProperty('last-modified');
    expect(await textOf(response)).toBe('');
    expect(await get(path, { 'if-none-match': '"0"' })).toMatchObject({ status: 304, headers: { etag: '"0"' } });
    expect(await get(path, { range: 'bytes=0-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */0' },
    });
    expect(await get(path, { range: 'bytes=-5' })).toMatchObject({ status: 200 });
  }
  await shelf.add(lab.commit('quiet'));
  expect(await get('/aicf/quiet.ndjson', { 'if-none-match': '"0"' })).toMatchObject({ status: 200 });
});

test.each([
  'unknown.ndjson',
  '_all.ndjson',
  'docs',
  'docs.json',
  'DOCS.ndjson',
  '..ndjson',
  '../docs.ndjson',
  'docs.ndjson\0',
  'do\ncs.ndjson',
  'docs/.ndjson',
  '__proto__.ndjson',
  'constructor.ndjson',
])('/aicf/%j is not there', (file) =>
  withFeeds(async (_, shelf) => {
    const routes = feedRoutes({
      shelf,
      hub: { baseUrl: () => 'https://hub.example/', isSource: (id) => id === 'docs' },
      now: () => LATER_MS,
    });
    const base = {
      method: 'GET',
      query: new URLSearchParams(),
      headers: {},
      body: undefined,
      isAdmin: false,
      clientIp: '::1',
    };
    const request = { ...base, params: { file, source: file }, signal: new AbortController().signal };
    for (const route of routes.filter(({ path }) => path.includes(':file'))) {
      expect(await route.handle(request)).toMatchObject({
        status: 404,
        headers: { 'content-type': 'application/problem+json' },
      });
    }
  }),
);

clause(['AICF-H1', 'AICF-C6'], 'who has the feed is told so at once, without a promise', () =>
  withFeeds(async (_, shelf) => {
    const get = createHub(shelf);
    const { headers } = await get('/aicf/docs.ndjson');
    const first = get('/aicf/docs.ndjson', { 'if-none-match': headers.etag ?? '' });
    expect(first).toEqual({
      status: 304,
      headers: {
        etag: headers.etag,
        'last-modified': headers['last-modified'],
        'cache-control': 'no-cache',
        vary: 'accept-encoding',
      },
    });
    expect(get('/aicf/docs.ndjson', { 'if-none-match': headers.etag ?? '' }), 'made once').toBe(first);
    for (const conditions of [
      { 'if-none-match': `"x", W/${headers.etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': headers['last-modified'] ?? '' },
      { 'if-none-match': headers.etag ?? '', range: 'bytes=0-9' },
    ]) {
      expect(get('/aicf/docs.ndjson', conditions), JSON.stringify(conditions)).toBe(first);
    }
    expect(await get('/aicf/docs.ndjson', { 'if-match': '"x"' })).toMatchObject({ status: 412 });
    const before = 'Wed, 31 Dec 2025 00:00:00 GMT';
    expect(await get('/aicf/docs.ndjson', { 'if-unmodified-since': before })).toMatchObject({ status: 412 });
    expect(await get('/aicf/docs.ndjson', { 'if-modified-since': before })).toMatchObject({ status: 200 });
    expect(get('/aicf/docs.ndjson', { 'if-none-match': headers.etag ?? '' }, 'HEAD')).toBe(first);
  }),
);

test('each encoding has its own ETag and unpacks to the same bytes', () =>
  withFeeds(async (lab, shelf) => {
    const get = createHub(shelf);
    const text = lab.derived('docs');
    const gzip = await get('/aicf/docs.ndjson', { 'accept-encoding': 'gzip' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(await bodyOf(gzip)).toString()).toBe(text);
    const br = await get('/aicf/docs.ndjson', { 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br' });
    expect(brotliDecompressSync(await bodyOf(br)).toString()).toBe(text);
    const plain = await get('/aicf/docs.ndjson', { 'accept-encoding': 'identity' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(new Set([gzip, br, plain].map(({ headers }) => headers.etag)).size).toBe(3);

    for (const [form, accept] of [
      [gzip, 'gzip'],
      [br, 'br'],
    ] as const) {
      expect(form.also).toEqual({ 'content-length': String((await bodyOf(form)).length) });
      expect(await get('/aicf/docs.ndjson', { 'accept-encoding': accept }, 'HEAD')).toEqual({
        status: 200,
        headers: form.headers,
        also: form.also,
      });
      const again = { 'accept-encoding': 'br, gzip', 'if-none-match': form.headers.etag ?? '' };
      expect(get('/aicf/docs.ndjson', again)).toMatchObject({ status: 304, headers: { etag: form.headers.etag } });
      // Kept by a cache, it is of no use to this client.
      const other = { 'accept-encoding': 'identity', 'if-none-match': form.headers.etag ?? '' };
      expect(await get('/aicf/docs.ndjson', other)).toMatchObject({ status: 200 });
      expect(get('/aicf/docs.ndjson', { ...other, range: 'bytes=5-' })).toMatchObject({ status: 304 });
    }
    expect(await get('/aicf/docs.ndjson', { 'accept-encoding': '*;q=0' })).toMatchObject({ status: 406 });
  }));

test('a part is of the plain form, whatever encodings the client takes', () =>
  withFeeds(async (lab, shelf) => {
    const get = createHub(shelf);
    const text = lab.derived('docs');
    const size = text.length;
    const { headers } = await get('/aicf/docs.ndjson');
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=10-19', 10, 20],
      [`bytes=${size - 5}-`, size - 5, size],
      ['bytes=-7', size - 7, size],
      ['bytes=5-999999', 5, size],
    ] as const) {
      const part = await get('/aicf/docs.ndjson', { range, 'accept-encoding': 'gzip, br' });
      expect(part.status).toBe(206);
      expect(await textOf(part)).toBe(text.slice(start, end));
      expect(part.headers).toEqual(headers);
      expect(part.also).toEqual({
        'content-range': `bytes ${start}-${end - 1}/${size}`,
        'content-length': String(end - start),
      });
    }
    const whole = async (more: Record<string, string>, method = 'GET') => {
      const response = await get(
        '/aicf/docs.ndjson',
        { range: 'bytes=3-5', 'accept-encoding': 'gzip', ...more },
        method,
      );
      return response.status === 200 && response.headers['content-encoding'] === undefined;
    };
    expect(await whole({ range: 'bytes=0-1,5-6' })).toBe(true);
    expect(await whole({ range: 'bytes=9-3' })).toBe(true);
    expect(await whole({ range: 'pages=1-2' })).toBe(true);
    expect(await whole({ 'if-range': '"old"' })).toBe(true);
    expect(await whole({ 'if-range': `W/${headers.etag}` })).toBe(true);
    expect(await whole({ 'if-range': 'Wed, 31 Dec 2025 00:00:00 GMT' })).toBe(true);
    for (const current of [headers.etag ?? '', headers['last-modified'] ?? '']) {
      expect(await get('/aicf/docs.ndjson', { range: 'bytes=3-5', 'if-range': current })).toMatchObject({
        status: 206,
      });
    }
    expect(await get('/aicf/docs.ndjson', { range: 'bytes=3-5' }, 'HEAD')).toEqual({
      status: 200,
      headers,
      also: { 'content-length': String(size) },
    });
    expect(await get('/aicf/docs.ndjson', { range: `bytes=${size}-` })).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
    expect(await get('/aicf/docs.ndjson', { range: 'bytes=0-', 'if-match': '"x"' })).toMatchObject({ status: 412 });
  }));

test('a date that more versions may come to share is not given out, so that no change hides behind it', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  let nowMs = LAB_START_MS + 1400;
  const get = createHub(shelf, {}, () => nowMs);
  const dateOf = async (headers = {}) => (await get('/ai-changes.ndjson', headers)).headers['last-modified'] ?? '';
  await shelf.add(lab.commit('docs'));
  const young = await dateOf();
  expect(young).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  const ranged = { range: 'bytes=0-9', 'if-range': young };
  expect(await get('/ai-changes.ndjson', { 'if-modified-since': young })).toMatchObject({ status: 200 });
  expect(await get('/ai-changes.ndjson', ranged)).toMatchObject({ status: 200 });
  // A second change within the same second.
  const [again] = lab.commit('docs');
  if (again === undefined) throw new Error('no change');
  lab.log[1] = { ...again, time: '2026-01-01T00:00:01.900Z' };
  await shelf.add(lab.log.slice(1));
  for (const ms of [1950, 2000, 3899, 3900]) {
    nowMs = LAB_START_MS + ms;
    expect(await dateOf(), `after ${ms} ms`).toBe(ms < 3900 ? young : 'Thu, 01 Jan 2026 00:00:01 GMT');
    expect(await get('/ai-changes.ndjson', { 'if-modified-since': young }), `${ms}`).toMatchObject({ status: 200 });
    expect(await get('/ai-changes.ndjson', ranged), `${ms}`).toMatchObject({ status: 200 });
    expect(await get('/ai-changes.ndjson', { 'if-unmodified-since': young })).toMatchObject({ status: 412 });
  }
  const settled = await dateOf();
  expect(await get('/ai-changes.ndjson', { 'if-modified-since': settled })).toMatchObject({ status: 304 });
  expect(await get('/ai-changes.ndjson', { ...ranged, 'if-range': settled })).toMatchObject({ status: 206 });
  // What was said once stays said when the clock steps back.
  nowMs = LAB_START_MS - 50_000;
  expect(await dateOf()).toBe('Thu, 01 Jan 2026 00:00:01 GMT');
  await shelf.add(lab.commit('docs'));
  expect(await dateOf(), 'a date to come').toBe('');
  expect(await get('/ai-changes.ndjson', { 'if-modified-since': young })).toMatchObject({ status: 200 });
});

clause(['AICF-D1', 'AICF-D5', 'AICF-X6'], 'discovery names the feed of all, or that of one source', () =>
  withFeeds(async (_, shelf) => {
    const hub = {
      ttlSeconds: 60,
      license: 'CC BY 4.0',
      about: 'https://hub.example/about',
      capabilities: ['chunk-hints'],
    };
    const get = createHub(shelf, hub);
    for (const [path, self] of [
      ['/.well-known/ai-changefeed', 'https://hub.example/base/ai-changes.ndjson'],
      ['/aicf/docs/.well-known/ai-changefeed', 'https://hub.example/base/aicf/docs.ndjson'],
      ['/aicf/quiet/.well-known/ai-changefeed', 'https://hub.example/base/aicf/quiet.ndjson'],
      ['/aicf/gone/.well-known/ai-changefeed', 'https://hub.example/base/aicf/gone.ndjson'],
    ] as const) {
      const response = await get(path);
      expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
      const text = await textOf(response);
      expect(decodeAicfDiscovery(text)).toMatchObject({
        ok: true,
        value: { self, ttl_seconds: 60, license: 'CC BY 4.0' },
      });
      expect(JSON.parse(text)).toHaveProperty('capabilities', ['chunk-hints']);
      expect(await get(path, { 'if-none-match': response.headers.etag ?? '' })).toMatchObject({ status: 304 });
    }
    expect(await get('/aicf/nobody/.well-known/ai-changefeed')).toMatchObject({ status: 404 });
    expect(await get('/aicf/_all/.well-known/ai-changefeed')).toMatchObject({ status: 404 });
    expect(JSON.parse(await textOf(createHub(shelf, { capabilities: [] })('/.well-known/ai-changefeed')))).toEqual({
      aicf_version: '0.1',
      self: 'https://hub.example/base/ai-changes.ndjson',
    });
  }),
);

test('a feed that cannot be written does not look empty', () =>
  withFeeds(async (_, shelf) => {
    const broken = { find: shelf.find.bind(shelf), generation: 1, trouble: 'ENOSPC' };
    const get = createHub(broken);
    expect(await get('/aicf/quiet.ndjson')).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect(await get('/aicf/docs.ndjson')).toMatchObject({ status: 200 });
    expect(await get('/aicf/nobody.ndjson')).toMatchObject({ status: 404 });
  }));
