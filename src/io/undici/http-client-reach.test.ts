import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFeedServer } from '../../../test/support/feed-server.ts';
import { listen, openClient, textOf } from '../../../test/support/guarded-client.ts';
import { headOf, respond as respondRaw, startOriginServer } from '../../../test/torture/origin-server.ts';
import {
  AddressRefusedError,
  DeadlineError,
  DnsError,
  RedirectRefusedError,
  TlsError,
} from '../../errors/fetch-error.ts';
import { readBodyText } from '../../fetch/read-text.ts';
import type { HttpClientOptions } from './http-client.ts';

const OPENSSL = 'openssl';

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
