import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type FeedServer, startFeedServer } from '../../test/support/feed-server.ts';
import { hasChromium } from '../../test/support/rendering.ts';
import { htmlPage } from '../../test/support/site.ts';
import { checkAIDocument } from '../codecs/aidocument/check.ts';
import type { AIDocument } from '../codecs/aidocument/wire.ts';
import { type ReadDocumentOptions, readDocument } from './read-document.ts';

const PAGE = htmlPage('Limits', [
  { id: 'tiers', heading: 'Tiers', text: 'There are two tiers, and they are counted.' },
]);

clause(
  ['AWI-CA2', 'AWI-CA3', 'AWI-SCH6'],
  'miss, hit, refreshed, stale_revalidated: what the document says is what the origin saw, and the ref stays',
  async () => {
    await using server = await startFeedServer();
    server.put('/page', PAGE);
    const cacheDir = await newFolder();
    const pageRequests = () => server.takeRequests().filter(({ path }) => path === '/page');
    const documents: AIDocument[] = [];
    const read = async (options: ReadDocumentOptions = {}) => {
      const document = await readDocument(new URL('/page#part', server.origin), { ...LOCAL, cacheDir, ...options });
      documents.push(document);
      return document.cache;
    };

    expect(await read()).toEqual({ status: 'miss', origin_contacted: true, body_fetched: true });
    expect(pageRequests()).toMatchObject([{ status: 200 }]);
    expect(await read()).toEqual({ status: 'hit', origin_contacted: false, body_fetched: false });
    expect(server.takeRequests(), 'not even robots.txt').toEqual([]);
    expect(await read({ refresh: true })).toEqual({
      status: 'stale_revalidated',
      origin_contacted: true,
      body_fetched: false,
    });
    expect(pageRequests()).toMatchObject([{ status: 304, bytesSent: 0 }]);
    server.options.validators = 'none';
    expect(await read({ refresh: true })).toEqual({ status: 'refreshed', origin_contacted: true, body_fetched: true });
    expect(pageRequests()).toMatchObject([{ status: 200 }]);
    server.put('/page', { body: PAGE, headers: { 'cache-control': 'max-age=0', etag: '"1"' } });
    await read({ refresh: true });
    expect((await read()).status, 'expired at once').toBe('stale_revalidated');
    server.put('/page', { body: PAGE, headers: { 'cache-control': 'max-age=0', etag: '"2"' } });
    expect((await read()).status, 'expired, and sent again').toBe('miss');

    expect(new Set(documents.map(({ schema }) => schema.ref)).size).toBe(1);
    for (const document of documents) expect(checkAIDocument(document)).toEqual([]);
  },
);

clause(['AWI-SRC1', 'AWI-SRC6'], 'a hit tells when its snapshot was fetched, not when it was asked for', async () => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  const cacheDir = await newFolder();
  const [miss, hit] = [await read(server, { cacheDir }), await read(server, { cacheDir })];
  expect(hit.source).toEqual(miss.source);
  expect(Date.parse(hit.source.fetched_at ?? '')).toBeLessThanOrEqual(Date.now());
});

test('a page that varies by User-Agent is a hit only under the same name', async () => {
  await using server = await startFeedServer();
  server.put('/page', { body: PAGE, headers: { vary: 'User-Agent', 'cache-control': 'max-age=60' } });
  const cacheDir = await newFolder();
  const statusFor = async (botUrl?: string) =>
    (await read(server, { cacheDir, ...(botUrl && { botUrl }) })).cache.status;
  expect([await statusFor(), await statusFor()]).toEqual(['miss', 'hit']);
  const botUrl = 'https://crawler.example/bot';
  expect([await statusFor(botUrl), await statusFor(botUrl)]).toEqual(['miss', 'hit']);
});

clause(['AWI-SRC2', 'AWI-SRC3'], 'a redirect names the page by where it was found', async () => {
  await using server = await startFeedServer();
  server.put('/old', { body: '', status: 302, headers: { location: 'page#part' } });
  server.put('/page', PAGE);
  const cacheDir = await newFolder();
  for (const status of ['miss', 'hit']) {
    const document = await read(server, { cacheDir }, '/old#here');
    expect(document).toMatchObject({ source: { url: `${server.origin}page` }, cache: { status } });
  }
  expect((await read(server, { cacheDir })).cache.status).toBe('hit');
});

clause(['AWI-PR1', 'AWI-PR2'], 'nothing of the caller goes out, comes back or is kept', async () => {
  await using server = await startFeedServer();
  server.put('/page', { body: PAGE, headers: { 'set-cookie': 'session=caller-7; Path=/' } });
  const cacheDir = await newFolder();
  const documents = [];
  for (let round = 0; round < 3; round += 1) documents.push(await read(server, { cacheDir, refresh: true }));
  const allowed = ['accept', 'accept-encoding', 'connection', 'host', 'if-none-match', 'user-agent'];
  expect(server.requests.length).toBeGreaterThan(5);
  for (const { headers } of server.requests) {
    expect(Object.keys(headers).filter((name) => !allowed.includes(name))).toEqual([]);
  }
  const kept = await Promise.all((await readdir(cacheDir)).map((name) => readFile(join(cacheDir, name), 'latin1')));
  for (const text of [JSON.stringify(documents), ...kept]) {
    expect(text).not.toMatch(/session=|caller-7/);
  }
});

test('a URL with a password, of another scheme or of none is refused, and the password is not repeated', async () => {
  for (const url of ['https://name:secret@docs.example/', 'ftp://docs.example/', 'file:///etc/hostname', '/page', '']) {
    const failure = await readDocument(url).catch((error: unknown) => error);
    expect(failure, url).toMatchObject({ name: 'DocumentRefusedError' });
    expect(String(failure)).not.toContain('secret');
  }
});

test('private addresses are closed unless they are opened', async () => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  await expect(readDocument(new URL('/page', server.origin))).rejects.toMatchObject({ name: 'AddressRefusedError' });
  expect(server.connections).toBe(0);
});

test('a copy of a private page is for calls that may reach it', async () => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  const url = new URL('/page', server.origin);
  const cacheDir = await newFolder();
  await readDocument(url, { ...LOCAL, cacheDir });
  await expect(readDocument(url, { cacheDir })).rejects.toMatchObject({ name: 'AddressRefusedError' });
  expect((await readDocument(url, { ...LOCAL, cacheDir })).cache.status).toBe('hit');
});

test('without a folder nothing is kept', async () => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  expect((await read(server)).cache.status).toBe('miss');
  expect((await read(server)).cache.status).toBe('miss');
});

test.each([
  ['that cannot be made', async (folder: string) => join(folder, 'file', 'cache'), 'documents are not kept'],
  [
    'whose file is damaged',
    async (folder: string) => {
      await writeFile(join(folder, 'documents-1.db'), 'no database at all '.repeat(300));
      return folder;
    },
    'was damaged',
  ],
])('a cache folder %s costs one line, not the page', async (_, prepare, message) => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  const folder = await newFolder();
  await writeFile(join(folder, 'file'), '');
  const said: string[] = [];
  const onDiagnostic = (diagnostic: { message: string }) => said.push(diagnostic.message);
  const document = await read(server, { cacheDir: await prepare(folder), onDiagnostic });
  expect(document.cache.status).toBe('miss');
  expect(said).toEqual([expect.stringContaining(message)]);
});

test('many readers at once share one folder, and each tells the truth', async () => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  const cacheDir = await newFolder();
  const said: string[] = [];
  const onDiagnostic = (diagnostic: { message: string }) => said.push(diagnostic.message);
  const documents = await Promise.all(
    Array.from({ length: 8 }, () => read(server, { cacheDir, onDiagnostic, timeoutMs: 15_000 })),
  );
  const missed = documents.filter(({ cache }) => cache.status === 'miss');
  expect(server.requests.filter(({ path }) => path === '/page')).toHaveLength(missed.length);
  expect(new Set(documents.map(({ schema }) => schema.ref)).size).toBe(1);
  expect((await read(server, { cacheDir })).cache.status).toBe('hit');
  expect(said).toEqual([]);
});

test('the caller’s signal ends the reading', async () => {
  await using server = await startFeedServer();
  server.fail('/page', { kind: 'stall' });
  const stop = new AbortController();
  const reading = read(server, { signal: stop.signal });
  const ended = expect(reading).rejects.toMatchObject({ name: 'FetchAbortedError' });
  await expect.poll(() => server.faultsFired).toBe(1);
  stop.abort();
  await ended;
});

test.skipIf(!hasChromium())('scripts are run where that is asked for, and the copies do not meet', async () => {
  await using server = await startFeedServer();
  const script = `document.querySelector('main').innerHTML = '<h1>App</h1><p>Made by a script, of many words.</p>'`;
  server.put(
    '/page',
    `<html><head><title>App</title></head><body><main></main><script>${script}</script></body></html>`,
  );
  const cacheDir = await newFolder();
  await expect(read(server, { cacheDir })).rejects.toMatchObject({ name: 'EmptyPageError' });
  const rendered = await read(server, { cacheDir, render: true, allowUnsandboxedBrowser: true });
  expect(rendered).toMatchObject({ source: { render_mode: 'rendered' }, cache: { status: 'miss' } });
  expect(rendered.content.markdown).toContain('Made by a script');
  expect((await read(server, { cacheDir, render: true, allowUnsandboxedBrowser: true })).cache.status).toBe('hit');
  for (const { headers } of server.requests) expect(headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 /);
});

test('where there is nothing to render with, the page is read as it was sent, and the reason is said', async () => {
  await using server = await startFeedServer();
  server.put('/page', PAGE);
  const said: string[] = [];
  const onDiagnostic = (diagnostic: { message: string }) => said.push(diagnostic.message);
  const document = await read(server, {
    render: true,
    allowUnsandboxedBrowser: true,
    chromiumPath: '/nonexistent/chromium',
    onDiagnostic,
  });
  expect(document.source.render_mode).toBe('static_after_render_failure');
  expect(said).toEqual([expect.stringContaining('/nonexistent/chromium')]);
});

const LOCAL: ReadDocumentOptions = { allowPrivate: true, cooldownMs: 0 };

function read(server: FeedServer, options: ReadDocumentOptions = {}, path = '/page'): Promise<AIDocument> {
  return readDocument(new URL(path, server.origin), { ...LOCAL, ...options });
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-doc-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(process.getuid?.() !== 0)(
  'root renders nothing unless that is said, and nobody is asked before',
  async () => {
    await using server = await startFeedServer();
    await expect(read(server, { render: true })).rejects.toThrow(/--allow-unsandboxed-browser/);
    expect(server.requests).toEqual([]);
  },
);
