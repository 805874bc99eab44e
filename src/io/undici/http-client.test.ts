import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFeedServer } from '../../../test/support/feed-server.ts';
import { AGENT, listen, openClient, textOf } from '../../../test/support/guarded-client.ts';
import { untilFired } from '../../../test/support/until-fired.ts';
import {
  BadResponseError,
  BodyEncodingError,
  BodyTooLargeError,
  ConnectionError,
  DeadlineError,
  FetchAbortedError,
  TruncatedBodyError,
} from '../../errors/fetch-error.ts';
import { readBodyText, readBytes } from '../../fetch/read-text.ts';

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

test('bytes that are not UTF-8 are refused where text is demanded', async () => {
  await using server = await startFeedServer();
  server.put('/latin', { body: Uint8Array.of(0xe9, 0x20) });
  await expect(textOf(server.origin, '/latin')).rejects.toThrow(BodyEncodingError);
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
