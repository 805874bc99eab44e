import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFeedServer } from '../../../test/support/feed-server.ts';
import { untilFired } from '../../../test/support/until-fired.ts';
import { headOf, respond as respondRaw, startOriginServer } from '../../../test/torture/origin-server.ts';
import {
  AddressRefusedError,
  BadResponseError,
  BodyEncodingError,
  BodyTooLargeError,
  ConnectionError,
  DeadlineError,
  DnsError,
  FetchAbortedError,
  RedirectRefusedError,
  TlsError,
  TruncatedBodyError,
} from '../../errors/fetch-error.ts';
import type { HttpClient, HttpRequest } from '../../fetch/http-client.ts';
import { readBodyText, readBytes } from '../../fetch/read-text.ts';
import { userAgentOf } from '../../fetch/user-agent.ts';
import { createUndiciHttpClient, type HttpClientOptions } from './http-client.ts';

const OPENSSL = 'openssl';
const AGENT = 'AIWebIndex/2.0 (+https://home.example/; tidings)';

test('an answer arrives whole, with its status and headers, under our name', async () => {
  await using server = await startFeedServer();
  server.put('/page', 'héllo');
  await using client = openClient();
  const response = await client.get({ url: new URL('/page', server.origin) });
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(await readBodyText(response, { maxBytes: 100 })).toBe('héllo');
  expect(server.requests[0]?.headers['user-agent']).toBe(AGENT);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['identity', (text: string) => Buffer.from(text)],
])('a body in %s is decoded', async (encoding, compress) => {
  await using server = await startFeedServer();
  server.put('/page', { body: compress('plain words '.repeat(500)), headers: { 'content-encoding': encoding } });
  expect(await textOf(server.origin, '/page')).toBe('plain words '.repeat(500));
});

test('a chain of encodings, an unknown one and damaged bytes are refused', async () => {
  await using server = await startFeedServer();
  server.put('/chain', { body: gzipSync(gzipSync('x')), headers: { 'content-encoding': 'gzip, gzip' } });
  server.put('/zstd', { body: 'x', headers: { 'content-encoding': 'zstd' } });
  server.put('/damaged', { body: 'this is not gzip', headers: { 'content-encoding': 'gzip' } });
  server.put('/word', { body: 'x', headers: { 'content-encoding': 'constructor' } });
  for (const path of ['/chain', '/zstd', '/damaged', '/word']) {
    await expect(textOf(server.origin, path), path).rejects.toThrow(BodyEncodingError);
  }
});

test('an empty body is no gzip, br or deflate, but may be identity, or a 304', async () => {
  await using server = await startFeedServer();
  for (const encoding of ['gzip', 'br', 'deflate']) {
    server.put(`/${encoding}`, { body: '', headers: { 'content-encoding': encoding } });
    await expect(textOf(server.origin, `/${encoding}`), encoding).rejects.toThrow(TruncatedBodyError);
  }
  server.put('/identity', { body: '', headers: { 'content-encoding': 'identity' } });
  server.put('/204', { body: '', status: 204, headers: { 'content-encoding': 'gzip' } });
  server.put('/304', { body: 'x', headers: { 'content-encoding': 'gzip', etag: '"1"' } });
  expect(await textOf(server.origin, '/identity')).toBe('');
  expect(await textOf(server.origin, '/204')).toBe('');
  expect(await textOf(server.origin, '/304', { headers: { 'if-none-match': '"1"' } })).toBe('');
});

test('a compressed body that ends early is cut, not whole', async () => {
  await using server = await startFeedServer();
  server.put('/half', { body: gzipSync('x'.repeat(9999)).subarray(0, 20), headers: { 'content-encoding': 'gzip' } });
  await expect(textOf(server.origin, '/half')).rejects.toThrow(TruncatedBodyError);
});

test.each(['cut', 'cut-chunked'] as const)('a body that the origin ends early (%s) fails', async (kind) => {
  await using server = await startFeedServer();
  server.put('/page', 'x'.repeat(5000));
  server.fail('/page', { kind, afterBytes: 1000 });
  await expect(textOf(server.origin, '/page')).rejects.toThrow(TruncatedBodyError);
  expect(server.faultsFired).toBe(1);
});

test('a connection that is reset or not accepted fails without an answer', async () => {
  await using server = await startFeedServer();
  server.fail('/page', { kind: 'reset' });
  await expect(textOf(server.origin, '/page')).rejects.toThrow(ConnectionError);
  expect(server.faultsFired).toBe(1);
  await expect(textOf('http://127.0.0.1:1/', '/')).rejects.toThrow(ConnectionError);
});

test('the deadline ends an exchange whose body never comes', async () => {
  await using server = await startFeedServer();
  server.fail('/page', { kind: 'stall' });
  await untilFired(server, (deadlineMs) =>
    expect(textOf(server.origin, '/page', { deadlineMs })).rejects.toThrow(DeadlineError),
  );
});

test('the time that the reader takes does not count against the deadline', async () => {
  await using server = await startFeedServer();
  server.put('/page', 'x'.repeat(3_000_000));
  await using client = openClient();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const response = await client.get({ url: new URL('/page', server.origin), deadlineMs: 400 });
  let bytes = 0;
  for await (const piece of response.body) {
    if (bytes === 0) vi.advanceTimersByTime(600);
    bytes += piece.length;
  }
  expect(bytes).toBe(3_000_000);
});

test('the caller’s signal ends an exchange', async () => {
  await using server = await startFeedServer();
  server.fail('/page', { kind: 'stall' }, { kind: 'stall' });
  const controller = new AbortController();
  await using client = openClient();
  const response = await client.get({ url: new URL('/page', server.origin), signal: controller.signal });
  const reading = readBodyText(response, { maxBytes: 100 });
  controller.abort();
  await expect(reading).rejects.toThrow(FetchAbortedError);
  await expect(textOf(server.origin, '/page', { signal: controller.signal })).rejects.toThrow(FetchAbortedError);
});

test('bodies over the cap fail: announced, decoded, or by ratio', async () => {
  await using server = await startFeedServer();
  server.put('/large', 'x'.repeat(2000));
  server.put('/decoded', { body: gzipSync('x'.repeat(2000)), headers: { 'content-encoding': 'gzip' } });
  server.put('/bomb', { body: gzipSync('x'.repeat(8_000_000)), headers: { 'content-encoding': 'gzip' } });
  await expect(textOf(server.origin, '/large', { maxBodyBytes: 1999 })).rejects.toThrow(BodyTooLargeError);
  await expect(textOf(server.origin, '/decoded', { maxBodyBytes: 1999 })).rejects.toThrow(BodyTooLargeError);
  await expect(textOf(server.origin, '/bomb', { maxBodyBytes: 9e6 })).rejects.toThrow(/compressed over 200 times/);
  expect(await textOf(server.origin, '/large', { maxBodyBytes: 2000 })).toHaveLength(2000);
});

test('the cap counts on the wire and decoded, each by itself', async () => {
  await using server = await startFeedServer();
  const noise = randomBytes(2000);
  server.put('/wire', { body: gzipSync(noise), headers: { 'content-encoding': 'gzip' } });
  const bytesOf = async (maxBodyBytes: number) => {
    await using client = openClient();
    return (
      await readBytes(await client.get({ url: new URL('/wire', server.origin), maxBodyBytes }), { maxBytes: 1e6 })
    ).length;
  };
  expect(gzipSync(noise).length).toBeGreaterThan(2000);
  await expect(bytesOf(2000), 'more on the wire than decoded').rejects.toThrow(BodyTooLargeError);
  expect(await bytesOf(gzipSync(noise).length)).toBe(2000);
});

test('a megabyte may be compressed as well as it likes', async () => {
  await using server = await startFeedServer();
  server.put('/flat', { body: gzipSync('x'.repeat(1024 * 1024)), headers: { 'content-encoding': 'gzip' } });
  expect(await textOf(server.origin, '/flat')).toHaveLength(1024 * 1024);
});

test('headers are read up to 32 KiB', async () => {
  await using server = await startFeedServer();
  server.put('/many', { body: 'x', headers: { 'x-long': 'x'.repeat(15_000), 'x-longer': 'x'.repeat(15_000) } });
  server.put('/over', { body: 'x', headers: { 'x-long': 'x'.repeat(15_000), 'x-longer': 'x'.repeat(19_000) } });
  expect(await textOf(server.origin, '/many')).toBe('x');
  await expect(textOf(server.origin, '/over')).rejects.toThrow(BadResponseError);
});

test('[AWI-UA1] [AWI-UA4] every request says who asks, and nothing about whom for', async () => {
  await using server = await startFeedServer();
  const cookie = { 'set-cookie': 'id=1; Path=/', 'www-authenticate': 'Basic realm="x"' };
  server.put('/a', { body: '', status: 302, headers: { ...cookie, location: '/b' } });
  server.put('/b', { body: 'no', status: 401, headers: cookie });
  await using client = openClient();
  const asVisitor = { 'user-agent': 'Mozilla/5.0', accept: 'text/html' };
  for (let round = 0; round < 2; round += 1) {
    const response = await client.get({ url: new URL('/a', server.origin), headers: asVisitor });
    await response.discard();
  }
  expect(server.requests).toHaveLength(4);
  for (const { headers } of server.requests) {
    expect(headers['user-agent']).toBe(AGENT);
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  }
});

test('[AWI-UA2] our name tells where to read about us', () => {
  expect(userAgentOf()).toMatch(/^AIWebIndex\/2\.0 \(\+https?:\/\/[^;)]+; tidings\)$/);
});

test('two requests share one connection', async () => {
  await using server = await startFeedServer();
  server.put('/page', 'words');
  await using client = openClient();
  for (let round = 0; round < 2; round += 1) {
    const response = await client.get({ url: new URL('/page', server.origin) });
    expect(await readBodyText(response, { maxBytes: 100 })).toBe('words');
  }
  expect(server.requests).toHaveLength(2);
  expect(server.connections).toBe(1);
});

test('a name that does not resolve is told apart from a host that does not answer', async () => {
  const missing = Object.assign(new Error('getaddrinfo ENOTFOUND docs.example'), { code: 'ENOTFOUND' });
  for (const allowPrivate of [true, false]) {
    await using client = openClient({ allowPrivate, lookup: (_, __, callback) => callback(missing, []) });
    await expect(client.get({ url: new URL('http://docs.example/') })).rejects.toThrow(DnsError);
  }
});

test('neither a resolver that never answers nor a host that never shakes hands holds us beyond the deadline', async () => {
  const mute = await listen(createServer(), '127.0.0.1');
  mute.removeAllListeners('connection');
  const { port } = mute.address() as AddressInfo;
  for (const url of ['http://docs.example/', `https://127.0.0.1:${port}/`]) {
    await using client = openClient({ lookup: () => {}, deadlineMs: 100 });
    await expect(client.get({ url: new URL(url) })).rejects.toThrow(DeadlineError);
  }
});

test('bytes that are not UTF-8 are refused where text is demanded', async () => {
  await using server = await startFeedServer();
  server.put('/latin', { body: Uint8Array.of(0xe9, 0x20) });
  await expect(textOf(server.origin, '/latin')).rejects.toThrow(BodyEncodingError);
});

test('redirects are followed to their end, which the answer names', async () => {
  await using server = await startFeedServer();
  server.put('/a', { body: '', status: 302, headers: { location: 'b' } });
  server.put('/b', { body: '', status: 308, headers: { location: '/c#part' } });
  server.put('/c', 'here');
  await using client = openClient();
  const response = await client.get({ url: new URL('/a', server.origin) });
  expect(response.url.pathname).toBe('/c');
  expect(response.redirects).toEqual([302, 308]);
  expect(await readBodyText(response, { maxBytes: 10 })).toBe('here');
  const direct = await client.get({ url: new URL('/c', server.origin) });
  expect(direct.redirects).toBeUndefined();
  await direct.discard();
});

test.each([
  ['/größe', 'utf8', '/gr%C3%B6%C3%9Fe'],
  ['/日本é', 'utf8', '/%E6%97%A5%E6%9C%AC%C3%A9'],
  ['/größe', 'latin1', '/gr%C3%B6%C3%9Fe'],
  ['/gr%C3%B6%C3%9Fe', 'latin1', '/gr%C3%B6%C3%9Fe'],
] as const)('a redirect to %s in raw %s leads there', async (location, encoding, path) => {
  await using server = await startOriginServer((socket, request) => {
    if (request.path === path) return respondRaw(socket, { body: 'here' });
    socket.write(Buffer.from(headOf(302, { location, 'content-length': '0' }), encoding));
  });
  expect(await textOf(server.origin, '/')).toBe('here');
  expect(server.requests.map((request) => request.path)).toEqual(['/', path]);
});

test('redirects in a circle, too many of them and one to another scheme are refused', async () => {
  await using server = await startFeedServer();
  for (const [from, to] of ['ab', 'bc', 'ca', '12', '23', '34', '45', '56', '67']) {
    server.put(`/${from}`, { body: '', status: 301, headers: { location: `/${to}` } });
  }
  server.put('/file', { body: '', status: 301, headers: { location: 'file:///etc/hostname' } });
  await expect(textOf(server.origin, '/a')).rejects.toThrow(RedirectRefusedError);
  expect(server.takePaths()).toEqual(['/a', '/b', '/c']);
  await expect(textOf(server.origin, '/1')).rejects.toThrow(RedirectRefusedError);
  expect(server.takePaths()).toEqual(['/1', '/2', '/3', '/4', '/5', '/6']);
  await expect(textOf(server.origin, '/file')).rejects.toThrow(RedirectRefusedError);
});

test('private addresses are refused before a connection is made: literal, by name, in every spelling', async () => {
  let reached = 0;
  const server = createServer((_, response) => response.end()).on('connection', () => {
    reached += 1;
  });
  const { port } = (await listen(server, '::')).address() as AddressInfo;
  await using client = openClient({ allowPrivate: false });
  const literals = ['127.0.0.1', '[::1]', '0x7f.1', '2130706433', '0', '[::ffff:127.0.0.1]', '[::127.0.0.1]'];
  for (const host of [...literals, 'localhost', '[64:ff9b::7f00:1]']) {
    const refusal = client.get({ url: new URL(`http://${host}:${port}/`), deadlineMs: 2000 });
    await expect(refusal, host).rejects.toThrow(AddressRefusedError);
  }
  expect(reached).toBe(0);
  await using open = openClient();
  for (const host of ['127.0.0.1', 'localhost']) {
    await open.get({ url: new URL(`http://${host}:${port}/`) }).then((response) => response.discard());
  }
  expect(reached, 'the listener could be reached').toBe(2);
});

test('a body is read from the wire no faster than it is taken', async () => {
  let sent = 0;
  let isHeldBack = false;
  const listener = await listen(
    createServer((_, response) => {
      const push = () => {
        while (sent < 64_000_000) {
          sent += 64_000;
          if (response.write(Buffer.alloc(64_000))) continue;
          isHeldBack = true;
          return void response.once('drain', () => {
            isHeldBack = false;
            push();
          });
        }
        response.end();
      };
      push();
    }),
    '127.0.0.1',
  );
  const { port } = listener.address() as AddressInfo;
  await using client = openClient();
  const response = await client.get({ url: new URL(`http://127.0.0.1:${port}/`), maxBodyBytes: 1e9 });
  const reader = response.body[Symbol.asyncIterator]();
  await reader.next();
  await expect.poll(() => isHeldBack).toBe(true);
  expect(sent).toBeLessThan(20_000_000);
  await reader.return?.();
});

test('connections are used again, also after an answer nobody wanted', async () => {
  await using server = await startFeedServer();
  server.put('/page', 'words');
  await using client = openClient();
  for (const path of Array.from({ length: 20 }, (_, index) => (index % 2 ? '/page' : '/missing'))) {
    const response = await client.get({ url: new URL(path, server.origin) });
    await response.discard();
  }
  expect(server.connections).toBe(1);
});

test.skipIf(!hasOpenssl())('a certificate counts when its authority was added, beside the usual ones', async () => {
  const tls = await selfSigned();
  await using server = await startFeedServer({ tls });
  server.put('/page', 'secret words');
  await using stranger = openClient();
  await expect(stranger.get({ url: new URL('/page', server.origin) })).rejects.toThrow(TlsError);
  await using friend = openClient({ ca: tls.cert });
  const response = await friend.get({ url: new URL('/page', server.origin) });
  expect(await readBodyText(response, { maxBytes: 100 })).toBe('secret words');
  const lookup: HttpClientOptions['lookup'] = (_, __, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  await using misled = openClient({ ca: tls.cert, lookup });
  const elsewhere = new URL(`https://docs.example:${new URL(server.origin).port}/page`);
  await expect(misled.get({ url: elsewhere }), 'for another name').rejects.toThrow(TlsError);
});

test.skipIf(!hasOpenssl())('the environment cannot switch the check of certificates off', async () => {
  await using server = await startFeedServer({ tls: await selfSigned() });
  server.put('/page', 'secret words');
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  await expect(textOf(server.origin, '/page')).rejects.toThrow(TlsError);
});

test.skipIf(!hasOpenssl())('a redirect from https to http is refused, but for local work', async () => {
  const tls = await selfSigned();
  await using plain = await startFeedServer();
  await using server = await startFeedServer({ tls });
  plain.put('/page', 'words');
  server.put('/page', { body: '', status: 301, headers: { location: new URL('/page', plain.origin).href } });
  const url = new URL('/page', server.origin);
  await using guarded = openClient({ allowPrivate: false, mayReach: () => true, ca: tls.cert });
  await expect(guarded.get({ url })).rejects.toThrow(RedirectRefusedError);
  expect([server.requests.length, plain.connections]).toEqual([1, 0]);
  await using open = openClient({ ca: tls.cert });
  expect(await readBodyText(await open.get({ url }), { maxBytes: 100 })).toBe('words');
});

function hasOpenssl(): boolean {
  return spawnSync(OPENSSL, ['version']).status === 0;
}

async function selfSigned(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1';
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  execFileSync(OPENSSL, ['req', ...options.split(' '), ...names], { stdio: 'ignore' });
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

function openClient(options: Partial<HttpClientOptions> = {}): HttpClient {
  return createUndiciHttpClient({ allowPrivate: true, userAgent: AGENT, ...options });
}

async function textOf(origin: string, path: string, request: Partial<HttpRequest> = {}): Promise<string> {
  await using client = openClient();
  const response = await client.get({ ...request, url: new URL(path, origin) });
  return await readBodyText(response, { maxBytes: 1e8 });
}

async function listen(server: Server, host: string): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}
