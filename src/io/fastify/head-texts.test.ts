import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { exchangeBytes, type ServedRoutes, serveRoutes } from '../../../test/support/serve-routes.ts';
import { answerArtifact } from '../../hub/http/answer-artifact.ts';
import { createDocumentAnswers } from '../../hub/http/answer-document.ts';
import type { Route } from '../../hub/http/route.ts';
import { smallArtifact } from '../../hub/http/small-answer.ts';
import { limitRoutes } from '../../hub/keys/limit-routes.ts';
import { createRateLimiter } from '../../hub/keys/rate-limiter.ts';
import { HeadTexts } from './head-texts.ts';
import { PreparedResponse } from './prepared-response.ts';

const MODIFIED_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const FEED = Buffer.from(Array.from({ length: 400 }, (_, at) => `{"line":${at}}\n`).join(''));

/** One of each kind of answer that is sent often, with and without limits. */
function routes(): Partial<Route>[] {
  const answer = createDocumentAnswers({
    mediaType: 'application/x-ndjson',
    cacheControl: 'no-cache',
    notAcceptable: 'It can be had as it is, or in gzip.',
    now: () => MODIFIED_MS + 60_000,
  });
  const packed = gzipSync(FEED);
  const feed = {
    etag: '"feed"',
    encodings: ['gzip'] as const,
    bytes: FEED.length,
    lastModifiedMs: MODIFIED_MS,
    read: (start = 0, end = FEED.length) => FEED.subarray(start, end),
    encoded: () => ({ bytes: packed.length, body: packed }),
  };
  const artifact = smallArtifact('{"a":1}\n', 'application/json');
  const shared = { etag: '"late"', 'x-shared': 'yes' };
  const base = { method: 'GET', access: 'open', summary: '', responses: {} } as const;
  const open: Route[] = [
    { ...base, path: '/feed', cors: true, handle: (request) => answer(request, feed) },
    { ...base, path: '/plain', handle: (request) => answer(request, feed) },
    { ...base, path: '/artifact', cors: true, handle: (request) => answerArtifact(request, artifact) },
    { ...base, path: '/late', handle: async (request) => answer(request, feed) },
    { ...base, path: '/empty', handle: () => ({ status: 200, headers: shared, also: {}, body: new Uint8Array() }) },
    { ...base, path: '/text', handle: () => ({ status: 200, headers: shared, also: { 'x-a': 'b' }, body: 'é' }) },
    { ...base, path: '/dated', handle: () => ({ status: 304, headers: { date: 'yesterday', connection: 'close' } }) },
    { ...base, path: '/gone', handle: () => ({ status: 410, headers: shared, also: { 'x-a': 'b' }, body: 'gone' }) },
    { ...base, path: '/bad', handle: () => ({ status: 304, headers: shared, also: { 'x-a': 'b\r\nx-b: c' } }) },
  ];
  const limiter = createRateLimiter({ now: () => MODIFIED_MS });
  const limits = { limiter, perMinute: { free: 40, pro: 80, enterprise: 160 } };
  const metered = open.slice(0, 3).map((route) => ({ ...route, path: `/metered${route.path}` }));
  return [...open, ...limitRoutes(metered, limits)];
}

const CONDITIONS: readonly string[] = [
  '',
  'If-None-Match: "feed"\r\n',
  'if-none-match: "feed.gz"\r\nAccept-Encoding: gzip, br\r\n',
  'If-None-Match: "other", W/"feed"\r\n',
  'If-None-Match: *\r\n',
  'If-None-Match: "other"\r\n',
  'If-None-Match: nonsense\r\n',
  'If-Modified-Since: Fri, 02 Jan 2026 03:04:05 GMT\r\n',
  'If-Modified-Since: Friday, 02-Jan-26 03:04:05 GMT\r\n',
  'If-Modified-Since: Fri Jan  2 03:04:05 2026\r\n',
  'If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT\r\n',
  'If-Match: "other"\r\n',
  'If-Unmodified-Since: Thu, 01 Jan 2026 00:00:00 GMT\r\n',
  'Range: bytes=-100\r\n',
  'Range: bytes=10-\r\n',
  'Range: bytes=10-19\r\nIf-Range: "feed"\r\n',
  'Range: bytes=10-19\r\nIf-Range: "other"\r\n',
  'Range: bytes=999999-\r\n',
  'Range: bytes=0-1,4-5\r\n',
  'Accept-Encoding: gzip\r\n',
  'Accept-Encoding: identity;q=0\r\n',
  'Origin: https://elsewhere.example\r\n',
];
const PATHS = ['/feed', '/plain', '/artifact', '/late', '/metered/feed', '/metered/artifact', '/feed?q=1', '/feed/'];
const OTHERS = ['/empty', '/text', '/dated', '/gone', '/bad', '/FEED'];

/** On one connection every request three times, then by HEAD; and alone, by an older HTTP and with the end of the connection. */
function conversations(): string[] {
  const lines = (path: string, more: string, [method, version] = ['GET', '1.1']) =>
    `${method} ${path} HTTP/${version}\r\nHost: h\r\n${more}`;
  const close = 'Connection: close\r\n\r\n';
  const often = (path: string, conditions: readonly string[]) => {
    const asked = conditions.flatMap((more) => [
      `${lines(path, more)}\r\n`.repeat(3),
      `${lines(path, more, ['HEAD', '1.1'])}\r\n`,
    ]);
    return `${asked.join('')}${lines('/nothing', '')}${close}`;
  };
  return [
    ...PATHS.map((path) => often(path, CONDITIONS)),
    ...OTHERS.map((path) => often(path, [''])),
    ...CONDITIONS.flatMap((more) => [lines('/feed', more) + close, `${lines('/feed', more, ['GET', '1.0'])}\r\n`]),
  ];
}

async function talk({ server, metrics }: ServedRoutes) {
  const answers: string[] = [];
  for (const conversation of conversations()) {
    answers.push((await exchangeBytes(server.port, conversation)).replaceAll(/^Date: .*\r\n/gm, 'Date\r\n'));
  }
  const counts = (await metrics.render()).match(/^tidings_http_requests_total.*$/gm);
  return { answers, counts };
}

test('an answer whose head was written before has the same bytes, and counts the same', async () => {
  const remembered = vi.spyOn(PreparedResponse.prototype, 'endWith');
  let second = 0;
  const usual = await talk(await serveRoutes(routes(), { hubId: 'hub', now: () => ++second * 1000 }));
  expect(remembered).not.toHaveBeenCalled();
  const fast = await talk(await serveRoutes(routes(), { hubId: 'hub', now: () => 0 }));
  expect(remembered.mock.calls.length, 'heads that were remembered').toBeGreaterThan(300);
  expect(new Set(remembered.mock.calls.map(([status]) => status))).toEqual(new Set([200, 206, 304]));
  expect(fast).toEqual(usual);
  const statuses = new Set(usual.answers.flatMap((text) => text.match(/^HTTP\/1\.1 \d+/gm) ?? []));
  expect([...statuses].map((line) => Number(line.slice(9))).sort()).toEqual([
    ...[200, 206, 304, 404, 406, 410, 412, 416, 429, 500],
  ]);
});

const TEXT = 'HTTP/1.1 304 Not Modified\r\netag: "1"\r\nx-left: 5\r\nDate: now\r\nConnection: keep-alive\r\n\r\n';
const ANSWER = { headers: { etag: '"1"' }, also: { 'x-left': '5' } };

test('a head holds for one second, one status and the headers that it was written for', () => {
  let now = 1_700_000_000_000;
  const texts = new HeadTexts(() => now);
  expect(texts.find(304, ANSWER, undefined)).toBeUndefined();
  texts.learn(304, ANSWER, { length: undefined, text: TEXT });
  expect(texts.find(304, ANSWER, undefined)).toBe(TEXT);
  expect(texts.find(304, { ...ANSWER, also: { 'x-left': '4' } }, 7)).toBe(
    TEXT.replace('x-left: 5\r\n', 'x-left: 4\r\ncontent-length: 7\r\n'),
  );
  expect(texts.find(304, { headers: ANSWER.headers }, undefined)).toBe(TEXT.replace('x-left: 5\r\n', ''));
  expect(texts.find(200, ANSWER, undefined)).toBeUndefined();
  expect(texts.find(304, { ...ANSWER, headers: { etag: '"1"' } }, undefined)).toBeUndefined();
  now += 1000;
  expect(texts.find(304, ANSWER, undefined)).toBeUndefined();
});

test.each([
  ['no date', TEXT.replace('Date', 'Day')],
  ['something between', TEXT.replace('Date', 'x-more: 1\r\nDate')],
  ['another order', 'HTTP/1.1 304 Not Modified\r\nx-left: 5\r\netag: "1"\r\nDate: now\r\n\r\n'],
])('a head with %s is left to Node', (_, text) => {
  const texts = new HeadTexts(() => 0);
  texts.learn(304, ANSWER, { length: undefined, text });
  expect(texts.find(304, ANSWER, undefined)).toBeUndefined();
});

test('a value that would begin another header is refused', () => {
  const texts = new HeadTexts(() => 0);
  texts.learn(304, ANSWER, { length: undefined, text: TEXT });
  expect(() => texts.find(304, { ...ANSWER, also: { 'x-left': '5\r\nx-b: c' } }, undefined)).toThrow('x-left');
});
