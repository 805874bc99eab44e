import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clause } from '../../test/clause.ts';
import { startFeedServer } from '../../test/support/feed-server.ts';
import { politely } from '../../test/support/polite.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage } from '../../test/support/site.ts';
import { createTestAuthority } from '../../test/support/test-ca.ts';
import { BROKEN_ORIGINS, GOOD_ORIGINS, type OriginKind } from '../../test/torture/origin-kinds.ts';
import { type Answer, respond, startOriginServer } from '../../test/torture/origin-server.ts';
import type { AIDocument } from '../codecs/aidocument/wire.ts';
import { MemoryDocumentCache } from '../crawl/memory-document-cache.ts';
import { readCachedDocument as readThroughCache } from '../crawl/read-document.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import { type ReadDocumentOptions, readDocument } from './read-document.ts';

/** For what never ends. Whatever ends by itself gets time enough for a busy machine. */
const DEADLINE_MS = 600;
const AMPLE_MS = 60_000;
const PAGE = htmlPage(
  'Limits',
  Array.from({ length: 40 }, (_, part) => ({ heading: `Part ${part}`, text: 'What is said of it. '.repeat(10) })),
);
const TO_PRIVATE = 'redirect to a private address';

/** In the words of the HTTP client; what only the page's reader can see has another name there. */
const AS_A_PAGE: Readonly<Record<string, string>> = { 'invalid UTF-8': 'NotAPageError' };

test.each(BROKEN_ORIGINS.filter(({ name }) => name !== TO_PRIVATE))('$name: an error of its own', async (kind) => {
  const { failure, served } = await readFrom(kind);
  expect(failure).toBeInstanceOf(TidingsError);
  expect(failure).toMatchObject({ name: AS_A_PAGE[kind.name] ?? kind.error });
  expect(served, 'the fault was met').toBeGreaterThan(0);
});

test.each(GOOD_ORIGINS)('$name: read', async (kind) => {
  const { document, failure, served } = await readFrom(kind);
  expect(failure).toBeUndefined();
  expect(document?.content.markdown).toContain('Part 39');
  expect(served).toBeGreaterThan(0);
});

test('a redirect to a private address is not followed', async () => {
  await using forbidden = await startOriginServer((socket) => respond(socket, { body: PAGE }), '127.0.0.2');
  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') respond(socket, { status: 404 });
    else respond(socket, { status: 302, headers: { location: forbidden.origin } });
  });
  const mayReach = (address: string) => address === '127.0.0.1';
  await using http = createUndiciHttpClient({ allowPrivate: false, mayReach, userAgent: 'AIWebIndex/2.0 (test)' });
  const reading = readThroughCache(
    {
      url: new URL('/page', server.origin),
      refresh: false,
      timeoutMs: AMPLE_MS,
      signal: new AbortController().signal,
    },
    {
      pages: politely(http).pages,
      cache: new MemoryDocumentCache(),
      userAgent: 'tests',
      now: Date.now,
      onDiagnostic: () => {},
    },
  );
  await expect(reading).rejects.toMatchObject({ name: 'AddressRefusedError', address: '127.0.0.2' });
  expect(server.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/page']);
  expect(forbidden.connections).toBe(0);
});

clause('AWI-SE5', 'a wall is met once, under our own name, and is not climbed', async () => {
  for (const status of [401, 402, 403]) {
    await using server = await startFeedServer();
    const headers = { 'www-authenticate': 'Basic realm="x"', 'set-cookie': 'id=1' };
    server.put('/page', { body: PAGE, status, headers });
    const failure = await failureOf(read(server.origin));
    expect(failure).toMatchObject({ name: 'AccessDeniedError', status, recovery: 'fix-input' });
    const [first, ...others] = server.requests.filter(({ path }) => path === '/page');
    expect(others).toEqual([]);
    expect(first?.headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 /);
    for (const name of ['authorization', 'cookie', 'referer', 'from', 'forwarded', 'x-forwarded-for']) {
      expect(first?.headers[name]).toBeUndefined();
    }
  }
});

test.each([
  [404, 'PageGoneError', 'fix-input'],
  [410, 'PageGoneError', 'fix-input'],
  [429, 'PageStatusError', 'retry-later'],
  [503, 'PageStatusError', 'retry-later'],
  [500, 'PageStatusError', 'retry-later'],
  [204, 'PageStatusError', 'fix-input'],
  [304, 'PageStatusError', 'fix-input'],
])('status %i is a %s', async (status, name, recovery) => {
  await using server = await startFeedServer();
  server.put('/page', { body: status === 204 || status === 304 ? '' : PAGE, status });
  expect(await failureOf(read(server.origin))).toMatchObject({ name, status, recovery });
  expect(server.takePaths()).toContain('/page');
});

test('what robots.txt forbids is not asked for', async () => {
  await using server = await startFeedServer();
  server.put('/robots.txt', {
    body: 'User-agent: aiwebindex\nDisallow: /page\n',
    headers: { 'content-type': 'text/plain' },
  });
  server.put('/page', PAGE);
  expect(await failureOf(read(server.origin))).toMatchObject({ name: 'RobotsDeniedError', recovery: 'fix-input' });
  expect(server.takePaths()).toEqual(['/robots.txt']);
});

test('an origin that never answers, robots.txt included, does not hold us for ever', async () => {
  await using server = await startOriginServer(() => {});
  const failure = await failureOf(read(server.origin, { timeoutMs: 300 }));
  expect(failure).toBeInstanceOf(TidingsError);
  expect(failure).toMatchObject({ recovery: 'retry-later' });
  expect(server.requests).not.toEqual([]);
});

test('slow robots.txt, and a page that never comes: the deadline ends both', async () => {
  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') setTimeout(() => respond(socket, { status: 404 }), 200);
  });
  expect(await failureOf(read(server.origin, { timeoutMs: 3000 }))).toMatchObject({ name: 'DeadlineError' });
  expect(server.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/page']);
});

test('the pauses that a chain of redirects costs count too', async () => {
  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') respond(socket, { status: 404 });
    else respond(socket, { status: 302, headers: { location: `${path}x` } });
  });
  const failure = await failureOf(read(server.origin, { timeoutMs: 2000, cooldownMs: 1500 }));
  expect(failure).toMatchObject({ name: 'DeadlineError', deadlineMs: 2000 });
  expect(server.requests.map(({ path }) => path).slice(0, 3)).toEqual(['/robots.txt', '/page', '/pagex']);
});

test('a host that asked for a pause is left alone by the next call too', async () => {
  await using server = await startFeedServer();
  server.put('/page', { body: PAGE, status: 429, headers: { 'retry-after': '90' } });
  const cacheDir = await newFolder();
  await failureOf(read(server.origin, { cacheDir }));
  server.takePaths();
  expect(await failureOf(read(server.origin, { cacheDir }))).toMatchObject({ name: 'HostPausedError' });
  expect(server.takePaths()).toEqual([]);
});

test.each<[string, string | undefined, string | Uint8Array, RegExp]>([
  ['a PDF', 'application/pdf', '%PDF-1.7 …', /application\/pdf/],
  ['an image', 'image/png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), /image\/png/],
  ['JSON', 'application/json; charset=utf-8', '{"a":1}', /application\/json/],
  ['an archive', 'application/zip', 'PK', /application\/zip/],
  ['an image that is called HTML', 'text/html', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff), /UTF-8|NUL/],
  ['a page with NUL bytes', 'text/html', `<h1>Limits</h1><p>a\0b</p>`, /NUL/],
  ['a page in another charset than it says', 'text/html; charset=utf-8', latin('<h1>Größe</h1>'), /not valid UTF-8/],
  ['a page in a charset that nobody knows', 'text/html; charset=klingon', latin('<h1>Größe</h1>'), /UTF-8/],
  ['an empty page', 'text/html', '', /empty/],
  ['text that is no text', 'text/plain', Uint8Array.of(0xff, 0xfe, 0xfd), /no page that can be read/],
])('%s is refused, and said what it is', async (_, type, body, message) => {
  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') return respond(socket, { status: 404 });
    respond(socket, { headers: type === undefined ? {} : { 'content-type': type }, body });
  });
  const failure = await failureOf(read(server.origin));
  expect(failure).toMatchObject({ name: 'NotAPageError', recovery: 'fix-input' });
  expect(String(failure)).toMatch(message);
  expect(server.requests.map(({ path }) => path)).toContain('/page');
});

test.each([
  ['text/plain', 'Every account has limits.\n\nThey are counted.\n'],
  ['text/markdown; charset=utf-8', '# Limits\n\nEvery account has *limits*.\n'],
])('%s is read', async (type, body) => {
  await using server = await startFeedServer();
  server.put('/page', { body, headers: { 'content-type': type } });
  const document = await read(server.origin);
  expect(document.content.markdown).toContain('Every account has');
  expect(document.source.url).toBe(`${server.origin}page`);
});

test('a page of scripts alone is no document', async () => {
  await using server = await startFeedServer();
  const head = '<head><title>App</title></head>';
  server.put(
    '/page',
    `<!doctype html><html>${head}<body><div id="root"></div><script src="/app.js"></script></body></html>`,
  );
  expect(await failureOf(read(server.origin))).toMatchObject({ name: 'EmptyPageError', recovery: 'fix-input' });
});

test('50 MB of page are not read', async () => {
  const piece = Buffer.from(`${'fffff'}\r\n${'<p>and on</p>'.padEnd(0xfffff, ' ')}\r\n`);
  let sent = 0;
  await using server = await startOriginServer((socket, { path }) => {
    if (path === '/robots.txt') return respond(socket, { status: 404 });
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n');
    const more = () => {
      for (; sent < 50 && !socket.destroyed; sent += 1)
        if (!socket.write(piece)) return void socket.once('drain', more);
    };
    more();
  });
  expect(await failureOf(read(server.origin))).toMatchObject({ name: 'BodyTooLargeError' });
  expect(sent).toBeGreaterThan(5);
});

const LEVELS = shortOrLong(10_000, 100_000);

test(`${LEVELS.toLocaleString('en')} levels are read or refused`, async () => {
  await using server = await startFeedServer();
  server.put('/page', `<h1>Deep</h1>${'<div>'.repeat(LEVELS)}<p>At the bottom of it all.</p>`);
  const outcome = await read(server.origin).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(TidingsError);
  else expect(outcome).toMatchObject({ content: { markdown: expect.stringContaining('Deep') } });
});

test('a name that does not resolve is told apart', async () => {
  // A label of 64 characters: no resolver is asked for it.
  const failure = await failureOf(readDocument(`http://${'a'.repeat(64)}.example/`));
  expect(failure).toMatchObject({ name: 'DnsError', recovery: 'retry-later' });
});

test('a certificate that is expired, for another host or signed by nobody known is refused', async () => {
  const authority = createTestAuthority();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 * 24 * 3600_000 });
  const expired = createTestAuthority();
  const old = expired.issue('localhost');
  vi.useRealTimers();
  const cases = [
    ['expired', old, expired.cert, /expired/],
    ['for another host', authority.issue('docs.example'), authority.cert, /altnames|does not match/],
    ['signed by nobody known', authority.issue('localhost'), undefined, /certificate/],
  ] as const;
  for (const [what, tls, ca, message] of cases) {
    const failure = await failureOf(readTls(tls, ca));
    expect(failure, what).toMatchObject({ name: 'TlsError', recovery: 'retry-later' });
    expect(String(failure)).toMatch(message);
  }
  const document = await readTls(authority.issue('localhost'), authority.cert);
  expect(document.content.markdown, 'with a good one').toContain('Part 39');
});

async function readTls(tls: { key: string; cert: string }, ca: string | undefined): Promise<AIDocument> {
  await using server = await startFeedServer({ tls });
  server.put('/page', PAGE);
  const file = join(await newFolder(), 'ca.pem');
  if (ca !== undefined) await writeFile(file, ca);
  const url = `https://localhost:${new URL(server.origin).port}/`;
  return await read(url, { ...(ca !== undefined && { ca: file }) });
}

interface Outcome {
  readonly document?: AIDocument;
  readonly failure?: unknown;
  readonly served: number;
}

/** Robots.txt is well; what is wrong is the page. */
async function readFrom(kind: OriginKind): Promise<Outcome> {
  let served = 0;
  const answer: Answer = (socket, request) => {
    if (request.path === '/robots.txt') return respond(socket, { status: 404 });
    served += 1;
    kind.answer({ socket, request, page: Buffer.from(PAGE), deadlineMs: DEADLINE_MS, forbidden: '' });
  };
  await using server = await startOriginServer(answer);
  try {
    const timeoutMs = kind.error === 'DeadlineError' ? DEADLINE_MS : AMPLE_MS;
    return { document: await read(server.origin, { timeoutMs }), served };
  } catch (failure) {
    return { failure, served };
  }
}

function read(origin: string, options: ReadDocumentOptions = {}): Promise<AIDocument> {
  return readDocument(new URL('/page', origin), {
    allowPrivate: true,
    cooldownMs: 0,
    timeoutMs: AMPLE_MS,
    ...options,
  });
}

async function failureOf(reading: Promise<AIDocument>): Promise<unknown> {
  return await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function latin(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-doc-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
