import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startFeedServer } from '../../test/support/feed-server.ts';
import {
  AddressRefusedError,
  BodyEncodingError,
  BodyTooLargeError,
  ConnectionError,
  DeadlineError,
  FetchAbortedError,
  RedirectRefusedError,
  TruncatedBodyError,
} from '../errors/fetch-error.ts';
import type { HttpClient, HttpRequest } from '../fetch/http-client.ts';
import { readText } from '../fetch/read-text.ts';
import { createUndiciHttpClient } from './undici-http-client.ts';

const OPENSSL = 'openssl';
const AGENT = 'AIWebIndex/2.0 (+https://home.example/; tidings)';

test('an answer arrives whole, with its status and headers, under our name', async () => {
  await using server = await startFeedServer();
  server.put('/page', 'héllo');
  await using client = openClient();
  const response = await client.get({ url: new URL('/page', server.origin) });
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(await readText(response, { maxBytes: 100 })).toBe('héllo');
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
  for (const path of ['/chain', '/zstd', '/damaged']) {
    await expect(textOf(server.origin, path), path).rejects.toThrow(BodyEncodingError);
  }
});

test('an empty answer with a content-encoding is empty', async () => {
  await using server = await startFeedServer();
  server.put('/empty', { body: '', headers: { 'content-encoding': 'gzip' } });
  expect(await textOf(server.origin, '/empty')).toBe('');
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
  await expect(textOf(server.origin, '/page', { deadlineMs: 150 })).rejects.toThrow(DeadlineError);
  expect(server.faultsFired).toBe(1);
});

test('the time that the reader takes does not count against the deadline', async () => {
  await using server = await startFeedServer();
  server.put('/page', 'x'.repeat(3_000_000));
  await using client = openClient();
  const response = await client.get({ url: new URL('/page', server.origin), deadlineMs: 400 });
  let bytes = 0;
  for await (const piece of response.body) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 600));
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
  const reading = readText(response, { maxBytes: 100 });
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
  expect(await readText(response, { maxBytes: 10 })).toBe('here');
});

test('a loop of redirects and one to another scheme are refused', async () => {
  await using server = await startFeedServer();
  server.put('/loop', { body: '', status: 301, headers: { location: '/loop' } });
  server.put('/file', { body: '', status: 301, headers: { location: 'file:///etc/hostname' } });
  await expect(textOf(server.origin, '/loop')).rejects.toThrow(RedirectRefusedError);
  expect(server.requests).toHaveLength(6);
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
  const listener = await listen(
    createServer((_, response) => {
      const push = () => {
        while (sent < 64_000_000) {
          sent += 64_000;
          if (!response.write(Buffer.alloc(64_000))) return void response.once('drain', push);
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
  await new Promise((resolve) => setTimeout(resolve, 300));
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
  expect(server.connections).toBeLessThan(4);
});

test.skipIf(!hasOpenssl())('a certificate counts when its authority was added, beside the usual ones', async () => {
  const tls = await selfSigned();
  await using server = await startFeedServer({ tls });
  server.put('/page', 'secret words');
  await using stranger = openClient();
  await expect(stranger.get({ url: new URL('/page', server.origin) })).rejects.toThrow(ConnectionError);
  await using friend = openClient({ ca: tls.cert });
  const response = await friend.get({ url: new URL('/page', server.origin) });
  expect(await readText(response, { maxBytes: 100 })).toBe('secret words');
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

function openClient(options: { allowPrivate?: boolean; ca?: string } = {}): HttpClient {
  return createUndiciHttpClient({ allowPrivate: true, userAgent: AGENT, ...options });
}

async function textOf(origin: string, path: string, request: Partial<HttpRequest> = {}): Promise<string> {
  await using client = openClient();
  const response = await client.get({ ...request, url: new URL(path, origin) });
  return await readText(response, { maxBytes: 1e8 });
}

async function listen(server: Server, host: string): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}
