import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { CLOSE, ECHO, HELLO, post, refusal } from '../../../test/support/raw-requests.ts';
import { exchangeBytes, openSocket, readToEnd, readUntil, serveRoutes } from '../../../test/support/serve-routes.ts';

test('requests in one go are answered in their order', async () => {
  const { server } = await serveRoutes([
    { path: '/slow', handle: async () => ({ status: 200, headers: {}, body: await nextTurn('slow') }) },
    HELLO,
  ]);
  const requests = `GET /slow HTTP/1.1\r\nHost: h\r\n\r\nGET /x HTTP/1.1\r\nHost: h\r\n\r\nGET /no HTTP/1.1\r\nHost: h\r\n${CLOSE}`;
  const answer = await exchangeBytes(server.port, requests);
  expect(answer.match(/HTTP\/1\.1 \d+|slow|hello/g)).toEqual([
    'HTTP/1.1 200',
    'slow',
    'HTTP/1.1 200',
    'hello',
    'HTTP/1.1 404',
  ]);
});

test.each([
  ['headers that do not end', 'GET /x HTTP/1.1\r\nHost: h\r\n'],
  ['a body that does not come', post('Content-Type: application/json\r\nContent-Length: 10\r\n', '{')],
])('%s are given up in time', async (_, request) => {
  const { server, logged } = await serveRoutes([ECHO], { limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
  expect(refusal(await exchangeBytes(server.port, request))).toBe(408);
  expect(logged).toEqual([]);
});

test('a connection that waits too long for its next request is ended', async () => {
  const { server } = await serveRoutes([HELLO], { limits: { keepAliveMs: 50 } });
  const answer = await exchangeBytes(server.port, 'GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
  expect(answer).toContain('hello');
});

test('more connections than allowed are turned away, and that is said once', async () => {
  const { server, logged } = await serveRoutes([HELLO], { limits: { connections: 2 } });
  const kept = [await openSocket(server.port), await openSocket(server.port)];
  for (const _ of [1, 2, 3]) {
    const extra = connect({ port: server.port, host: '127.0.0.1' });
    onTestFinished(() => void extra.destroy());
    expect(await readToEnd(extra)).toBe('');
  }
  expect(logged).toMatchObject([{ level: 'warn', fields: { connections: 2 } }]);
  for (const socket of kept) {
    socket.end(`GET /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`);
    expect(await readToEnd(socket)).toContain('hello');
  }
  expect((await fetch(`${server.url}x`)).status).toBe(200);
});

test('garbage behind a request whose answer is on its way ends the connection without a word into it', async () => {
  const { server } = await serveRoutes([
    {
      path: '/stream',
      handle: ({ signal }) => ({ status: 200, headers: {}, body: oneThenWait(signal) }),
    },
  ]);
  const socket = await openSocket(server.port);
  socket.write('GET /stream HTTP/1.1\r\nHost: h\r\n\r\n');
  const start = await readUntil(socket, (text) => text.includes('first'));
  socket.write('garbage\r\n\r\n');
  expect(start + (await readToEnd(socket))).not.toContain('400');
});

async function nextTurn(text: string): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  return text;
}

async function* oneThenWait(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  if (!signal.aborted) await once(signal, 'abort');
}

test('a client has so many connections and no more, until one of them ends', async () => {
  const { server, logged } = await serveRoutes([HELLO], { limits: { connectionsPerClient: 3 } });
  const open = [await openSocket(server.port), await openSocket(server.port), await openSocket(server.port)];
  // Taken in the order in which they came: an answer on the last one tells that all are counted.
  open[2]?.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
  if (open[2] !== undefined) await readUntil(open[2], (text) => text.includes('hello'));
  for (let more = 0; more < 2; more++) {
    const answer = await readToEnd(await openSocket(server.port));
    expect(refusal(answer)).toBe(429);
    expect(answer).toContain('3 connections');
  }
  expect(logged).toHaveLength(1);
  open[0]?.destroy();
  await expect
    .poll(() => exchangeBytes(server.port, `GET /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`), { timeout: 20_000 })
    .toContain(' 200 OK');
});

test('without a word in the settings a client has 64 connections', async () => {
  const { server } = await serveRoutes([HELLO]);
  const open = await Promise.all(Array.from({ length: 64 }, () => openSocket(server.port)));
  for (const socket of open) {
    socket.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
    await readUntil(socket, (text) => text.includes('hello'));
  }
  expect(refusal(await readToEnd(await openSocket(server.port)))).toBe(429);
});

test.each([
  ['trusted proxies', { trustProxies: ['127.0.0.0/8'], limits: { connectionsPerClient: 1 } }],
  ['no limit', { limits: { connectionsPerClient: 0 } }],
])('connections are not counted: %s', async (_, options) => {
  const { server } = await serveRoutes([HELLO], options);
  for (let count = 0; count < 5; count++) await openSocket(server.port);
  expect(await exchangeBytes(server.port, `GET /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`)).toContain(' 200 OK');
});

test.each([
  ['a large answer', 1, 40 * 1024 * 1024],
  ['many small answers in one go', 3000, 60_000],
])('a client that asks for %s and does not read it is cut off', async (_, requests, size) => {
  const handle = () => ({ status: 200, headers: {}, body: 'x'.repeat(size) });
  const { server, logged } = await serveRoutes([{ path: '/x', handle }], { limits: { stallMs: 100 } });
  const socket = await openSocket(server.port);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(requests));
  await expect
    .poll(() => logged.map(({ message }) => message), { timeout: 20_000 })
    .toEqual([expect.stringContaining('too slowly')]);
});
