import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type FeedServer, startFeedServer } from '../../test/support/feed-server.ts';
import { politely } from '../../test/support/polite.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import type { LivePage, LivePageRequest, NotModified } from './live-page.ts';

const PAGE = '<!doctype html><title>Page</title><main><h1>Page</h1><p>Words.</p></main>';

test('a page comes with where it was found, after redirects', async () => {
  await using server = await startFeedServer();
  server.put('/old', { body: '', status: 301, headers: { location: '/new#part' } });
  server.put('/new', { body: PAGE, headers: { 'content-type': 'text/html; charset=utf-8' } });
  const page = await read(server, '/old');
  expect(page).toMatchObject({ kind: 'page', status: 200, mediaType: 'text/html', text: PAGE });
  expect(page.url.href).toBe(new URL('/new', server.origin).href);
});

test.each([
  [[301, 308], false],
  [[302], true],
  [[303], true],
  [[307], true],
  [[301, 302], true],
  [[302, 308], true],
])('redirects %j on the way: that they are for now is %s', async (statuses, isForNow) => {
  await using server = await startFeedServer();
  statuses.forEach((status, hop) => {
    server.put(`/${hop}`, { body: '', status, headers: { location: `/${hop + 1}` } });
  });
  const end = `/${statuses.length}`;
  server.put(end, { body: PAGE, headers: { 'content-type': 'text/html' } });
  const page = await read(server, '/0');
  expect(page.isForNow).toBe(isForNow);
  const validators = { etag: page.headers.etag ?? '' };
  expect(await read(server, '/0', { validators })).toMatchObject({ kind: 'not-modified', isForNow });
  server.put(end, { body: PAGE, status: 410 });
  await expect(read(server, '/0')).rejects.toMatchObject({ name: 'PageGoneError', status: 410, isForNow });
});

test('with the validators of a copy, an unchanged page is not sent again', async () => {
  await using server = await startFeedServer();
  server.put('/p', { body: PAGE, headers: { 'content-type': 'text/html' } });
  const first = await read(server, '/p');
  const again = await read(server, '/p', { validators: { etag: first.headers.etag ?? '' } });
  expect(again.kind).toBe('not-modified');
  expect(server.takeRequests().at(-1)).toMatchObject({ status: 304 });
});

test('plain text and Markdown are pages, too', async () => {
  await using server = await startFeedServer();
  server.put('/a', { body: 'Just words.', headers: { 'content-type': 'text/plain' } });
  server.put('/b', { body: '# Words', headers: { 'content-type': 'text/x-markdown' } });
  expect(await read(server, '/a')).toMatchObject({ mediaType: 'text/plain', text: 'Just words.' });
  expect(await read(server, '/b')).toMatchObject({ mediaType: 'text/markdown', text: '# Words' });
});

for (const status of [401, 402, 403]) {
  clause(['AWI-SE5', 'AWI-UA4'], `a wall (${status}) is told and left alone`, async () => {
    await using server = await startFeedServer();
    server.put('/p', { body: PAGE, status, headers: { 'www-authenticate': 'Basic' } });
    await expect(read(server, '/p')).rejects.toMatchObject({
      name: 'AccessDeniedError',
      status,
      recovery: 'fix-input',
    });
    expect(server.takePaths()).toEqual(['/robots.txt', '/p']);
  });
}

test.each([
  ['a page that is gone', { body: PAGE, status: 404 }, 'PageGoneError'],
  ['a failing origin', { body: PAGE, status: 500 }, 'PageStatusError'],
  ['no content', { body: '', status: 204 }, 'PageStatusError'],
  ['a 304 that nobody asked for', { body: '', status: 304 }, 'PageStatusError'],
  ['a PDF', { body: '%PDF', headers: { 'content-type': 'application/pdf' } }, 'NotAPageError'],
  ['a type that is none', { body: '<p>A', headers: { 'content-type': 'constructor' } }, 'NotAPageError'],
  [
    'a picture that calls itself HTML',
    { body: '\x89PNG\r\n\0\0', headers: { 'content-type': 'text/html' } },
    'NotAPageError',
  ],
  ['an empty page', { body: '', headers: { 'content-type': 'text/html' } }, 'NotAPageError'],
  ['bytes that are not UTF-8', { body: Buffer.from('<p>\xff\xfe</p>', 'latin1') }, 'NotAPageError'],
])('%s is an error of its own', async (_, resource, name) => {
  await using server = await startFeedServer();
  server.put('/p', resource);
  await expect(read(server, '/p')).rejects.toMatchObject({ name });
});

test('the error says what it is instead of a page', async () => {
  await using server = await startFeedServer();
  server.put('/p', { body: '%PDF', headers: { 'content-type': 'application/pdf' } });
  await expect(read(server, '/p')).rejects.toThrow(/it is application\/pdf, not HTML or text/);
});

async function read(server: FeedServer, path: string): Promise<LivePage>;
async function read(
  server: FeedServer,
  path: string,
  request: Partial<LivePageRequest>,
): Promise<LivePage | NotModified>;
async function read(server: FeedServer, path: string, request: Partial<LivePageRequest> = {}) {
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  return await politely(http).pages.read({ url: new URL(path, server.origin), ...request });
}
