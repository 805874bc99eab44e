import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../test/support/call-route.ts';
import { FakeWatch, watchedSource } from '../../../test/support/fake-watch.ts';
import type { AIDocument } from '../../codecs/aidocument/wire.ts';
import {
  AccessDeniedError,
  EmptyPageError,
  HostPausedError,
  NotAPageError,
  PageGoneError,
  PageStatusError,
  RobotsDeniedError,
} from '../../errors/crawl-error.ts';
import {
  AddressRefusedError,
  BodyTooLargeError,
  DeadlineError,
  DnsError,
  FetchAbortedError,
  TlsError,
} from '../../errors/fetch-error.ts';
import { FolderError } from '../../errors/folder-error.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { type DocParts, docRoutes } from './doc-routes.ts';

const SOURCES: readonly SourceConfig[] = [
  { id: 'built', kind: 'folder', path: '/srv/site', site: 'https://docs.example/guide/', exclude: ['/guide/private/'] },
  { id: 'feed', kind: 'feed', url: 'https://acme.example/changes/', dialect: 'aicf' },
  { id: 'live', kind: 'site', url: 'https://live.example/' },
  { id: 'terms', kind: 'page', urls: ['https://shop.example/terms'] },
];
const URL_OF_LIVE = new URL('https://live.example/a');

function documentOf(url: string): AIDocument {
  return {
    schema: { name: 'AIDocument', version: '2.0' },
    source: { url },
    content: { markdown: '# A page\n\nIts text.' },
  } as AIDocument;
}

function hubWith(parts: Partial<DocParts> = {}) {
  const asked: string[] = [];
  const routes = docRoutes({
    watch: new FakeWatch(SOURCES.map((config) => watchedSource(config))),
    scope: {
      isChosen: ({ exclude = [] }, url) => !exclude.some((path) => new URL(url).pathname.startsWith(path)),
      isNamed: async (source, url) => source === 'feed' && url === 'https://acme.example/told',
    },
    clientOf: () => 'somebody',
    wait: async () => {},
    readDocument: async (url, { refresh }) => {
      asked.push(`${refresh ? 'refresh ' : ''}${url.href}`);
      return documentOf(url.href);
    },
    readFolderPage: async ({ id }, url) => {
      asked.push(`${id}: ${url.href}`);
      return documentOf(url.href);
    },
    ...parts,
  });
  const get = (query: string, isAdmin = false, headers: Record<string, string> = {}) =>
    callRoute(routes, `GET /doc${query}`, { isAdmin, headers });
  return { asked, get, of: (url: string, isAdmin = false) => get(`?url=${encodeURIComponent(url)}`, isAdmin) };
}

test('a page of a source is given to everybody', async () => {
  const { of, asked } = hubWith();
  const answer = await of('https://live.example/a#part');
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', etag: expect.stringMatching(/^"/) },
  });
  expect(jsonOf(answer).source.url).toBe('https://live.example/a');
  for (const url of ['https://docs.example/guide/a', 'https://acme.example/told', 'https://shop.example/terms']) {
    expect([url, (await of(url)).status]).toEqual([url, 200]);
  }
  expect(asked).toEqual([
    'https://live.example/a',
    'built: https://docs.example/guide/a',
    'https://acme.example/told',
    'https://shop.example/terms',
  ]);
});

test('who asks for Markdown gets the text of the page, with an ETag of its own', async () => {
  const { get } = hubWith();
  const page = `?url=${encodeURIComponent('https://live.example/a')}`;
  const json = await get(page);
  const markdown = await get(page, false, { accept: 'text/markdown, application/json;q=0.5' });
  expect(markdown).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-cache', vary: 'accept' },
  });
  expect(textOf(markdown)).toBe('# A page\n\nIts text.\n');
  expect(json.headers).toMatchObject({ 'content-type': 'application/json', vary: 'accept' });
  expect(markdown.headers.etag).not.toBe(json.headers.etag);
  const known = { accept: 'text/markdown', 'if-none-match': markdown.headers.etag ?? '' };
  expect(await get(page, false, known)).toEqual({
    status: 304,
    headers: { etag: markdown.headers.etag, 'cache-control': 'no-cache', vary: 'accept' },
  });
  expect((await get(page, false, { ...known, accept: 'application/json' })).status).toBe(200);
  expect((await get('?url=https://elsewhere.example/', false, { accept: 'text/markdown' })).status).toBe(403);
});

test.each([
  'https://elsewhere.example/',
  'http://live.example/',
  'https://live.example:8443/',
  'https://live.example.evil.example/',
  'https://docs.example/',
  'https://docs.example/guide/../secret',
  'https://docs.example/guide/%2e%2e/secret',
  'https://docs.example/guide/private/x',
  'https://shop.example/terms?x=1',
  'https://acme.example/changes/',
  'https://acme.example/never-told',
  'http://127.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
])('%s is of no source and needs the token', async (url) => {
  const { of, asked } = hubWith();
  const answer = await of(url);
  expect(answer.status).toBe(403);
  expect(jsonOf(answer).detail).toMatch(/only pages of the sources/);
  expect(asked).toEqual([]);
});

test('the admin has the whole web, but of a folder what lies in it', async () => {
  const { of, asked } = hubWith();
  expect((await of('https://elsewhere.example/', true)).status).toBe(200);
  expect((await of('https://docs.example/guide/private/x', true)).status).toBe(200);
  expect(asked).toEqual(['https://elsewhere.example/', 'built: https://docs.example/guide/private/x']);
});

test('a page of a source that leads elsewhere is not handed on, unless the operator named that very page', async () => {
  const { of } = hubWith({ readDocument: async () => documentOf('https://elsewhere.example/') });
  expect((await of('https://live.example/out')).status).toBe(403);
  expect((await of('https://live.example/out', true)).status).toBe(200);
  expect((await of('https://shop.example/terms')).status).toBe(200);
  const within = hubWith({ readDocument: async () => documentOf('https://live.example/b') });
  expect((await within.of('https://live.example/a')).status).toBe(200);
});

test.each([
  '',
  '?url=',
  '?url=live.example',
  '?url=%2Fetc%2Fpasswd',
  '?url=file:%2F%2F%2Fetc%2Fpasswd',
  '?url=javascript:alert(1)',
  '?url=https://user:secret@live.example/',
  '?url=https://live.example/%0aX',
  '?url=https%3A%2F%2Flive.example%2F%0D%0AX',
  '?url=https://live.example/&url=https://live.example/',
  '?url=https://live.example/&b=2',
  '?url=https://live.example/&refresh=yes',
  `?url=https://live.example/${'a'.repeat(3000)}`,
])('%s is a bad request', async (query) => {
  const { get, asked } = hubWith();
  const answer = await get(query, true);
  expect(answer.status).toBe(400);
  expect(textOf(answer)).not.toContain('secret');
  expect(asked).toEqual([]);
});

test('only the admin has a page asked for anew', async () => {
  const { get, asked } = hubWith();
  expect((await get('?url=https://live.example/a&refresh=1')).status).toBe(403);
  expect((await get('?url=https://live.example/a&refresh=1', true)).status).toBe(200);
  expect(asked).toEqual(['refresh https://live.example/a']);
});

test('who has the document is told so', async () => {
  const { get } = hubWith();
  const { etag = '' } = (await get('?url=https://live.example/a')).headers;
  expect((await get('?url=https://live.example/a', false, { 'if-none-match': etag })).status).toBe(304);
});

test.each([
  [403, new RobotsDeniedError(URL_OF_LIVE, 'robots.txt forbids it')],
  [503, new RobotsDeniedError(URL_OF_LIVE, 'robots.txt cannot be read', { retryAfterMs: 1500 })],
  [503, new HostPausedError(URL_OF_LIVE, 1500)],
  [404, new PageGoneError(URL_OF_LIVE, 410)],
  [403, new AccessDeniedError(URL_OF_LIVE, 401)],
  [403, new AddressRefusedError(URL_OF_LIVE, '10.0.0.1')],
  [502, new DnsError(URL_OF_LIVE, new Error('ENOTFOUND'))],
  [502, new TlsError(URL_OF_LIVE, new Error('expired'))],
  [502, new PageStatusError(URL_OF_LIVE, 500)],
  [502, new BodyTooLargeError(URL_OF_LIVE, 'too large')],
  [503, new FetchAbortedError(URL_OF_LIVE, undefined)],
  [504, new DeadlineError(URL_OF_LIVE, 20_000)],
  [415, new NotAPageError(URL_OF_LIVE, 'an image')],
  [422, new EmptyPageError(URL_OF_LIVE, 'It is empty.')],
])('a reading that fails is a %i: %o', async (status, error) => {
  const { of } = hubWith({ readDocument: () => Promise.reject(error) });
  const answer = await of(URL_OF_LIVE.href);
  expect(answer.status).toBe(status);
  expect(jsonOf(answer)).toMatchObject({ code: error.name, detail: error.message });
  const isPause = 'retryAfterMs' in error && error.retryAfterMs !== undefined;
  expect(answer.headers['retry-after']).toBe(isPause ? '2' : undefined);
});

test('what is wrong with a folder is not for the public', async () => {
  const { of } = hubWith({ readFolderPage: () => Promise.reject(new FolderError('/srv/site/a.html', 'it is torn')) });
  const answer = await of('https://docs.example/guide/a');
  expect(answer.status).toBe(500);
  expect(textOf(answer)).not.toContain('/srv');
});

test('only so many documents of a client are read at a time, the admin has places of their own, and a place becomes free again', async () => {
  const ends: (() => void)[] = [];
  const { of } = hubWith({
    readDocument: (url) => new Promise((resolve) => ends.push(() => resolve(documentOf(url.href)))),
  });
  const running = Array.from({ length: 4 }, () => of('https://live.example/a'));
  expect(await of('https://live.example/a')).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  running.push(...Array.from({ length: 8 }, () => of('https://live.example/a', true)));
  expect(await of('https://live.example/a', true)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  for (const end of ends) end();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(12).fill(200));
  const next = of('https://live.example/a');
  await expect.poll(() => ends.length).toBe(13);
  ends.at(-1)?.();
  expect((await next).status).toBe(200);
});
