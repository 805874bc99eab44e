import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { deferred, exchangeBytes, openSocket, readUntil, serveRoutes } from '../../../test/support/serve-routes.ts';
import type { Route } from '../../hub/http/route.ts';

const GET = 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

function streamRoute(body: () => AsyncIterable<Uint8Array>, headers: Record<string, string> = {}): Partial<Route> {
  return { path: '/x', handle: () => ({ status: 200, headers, body: body() }) };
}

test('a stream is sent in full, with its length where that is known', async () => {
  const { server } = await serveRoutes([
    streamRoute(() => chunks('ab', 'cd'), { 'content-length': '4' }),
    { ...streamRoute(() => chunks('ab', 'cd')), path: '/chunked' },
    { ...streamRoute(() => chunks()), path: '/empty' },
  ]);
  const known = await fetch(`${server.url}x`);
  expect([known.headers.get('content-length'), await known.text()]).toEqual(['4', 'abcd']);
  const unknown = await fetch(`${server.url}chunked`);
  expect([unknown.headers.get('transfer-encoding'), await unknown.text()]).toEqual(['chunked', 'abcd']);
  expect(await (await fetch(`${server.url}empty`)).text()).toBe('');
});

test.each([
  ['an error in the middle', () => breaking(), undefined],
  ['an error in the middle of a known length', () => breaking(), '100'],
  ['too few bytes', () => chunks('ab', 'cd'), '5'],
  ['too many bytes', () => chunks('ab', 'cd'), '3'],
] as const)('%s cuts the connection, so that nobody takes the part for the whole', async (_, body, length) => {
  const { server, logged } = await serveRoutes([streamRoute(body, length ? { 'content-length': length } : {})]);
  await expect(fetch(`${server.url}x`).then((answer) => answer.text())).rejects.toThrow();
  expect(logged).toMatchObject([{ level: 'error' }]);
});

test('HTTP/1.0 knows neither length nor chunks: there a cut is a reset', async () => {
  const arrived = deferred();
  const { server } = await serveRoutes([streamRoute(() => breaking(arrived.promise))]);
  const socket = await openSocket(server.port);
  socket.write('GET /x HTTP/1.0\r\n\r\n');
  await readUntil(socket, (text) => text.includes('first'));
  arrived.resolve();
  await expect(once(socket, 'close')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('bytes are taken from the source no faster than the client takes them, and one who takes none is cut off', async () => {
  let taken = 0;
  const over = deferred();
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (; taken < 4000; taken += 1) yield new Uint8Array(64 * 1024);
    } finally {
      over.resolve();
    }
  }
  const { server } = await serveRoutes([streamRoute(endless)], { limits: { stallMs: 100 } });
  const socket = await openSocket(server.port);
  socket.pause();
  socket.write(GET);
  await over.promise;
  expect(taken).toBeGreaterThan(1);
  expect(taken).toBeLessThan(1000);
});

test('a source is told to stop when its client has gone', async () => {
  const over = deferred();
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(1024);
    } finally {
      over.resolve();
    }
  }
  const { server, logged } = await serveRoutes([streamRoute(endless)]);
  const socket = await openSocket(server.port);
  socket.write(GET);
  await once(socket, 'data');
  socket.destroy();
  await over.promise;
  expect(logged).toEqual([]);
});

test('a file that is not sent after all is closed', async () => {
  const body = new Readable({ read() {} });
  const { server } = await serveRoutes([streamRoute(() => body)]);
  expect((await fetch(`${server.url}x`, { method: 'HEAD' })).status).toBe(200);
  expect(body.destroyed).toBe(true);
});

test('a large body in one piece arrives whole', async () => {
  const body = Buffer.alloc(5_000_000, 'x');
  const { server } = await serveRoutes([{ path: '/x', handle: () => ({ status: 200, headers: {}, body }) }]);
  const answer = await exchangeBytes(server.port, GET);
  expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(body.length);
});

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* breaking(
  moment: Promise<void> = new Promise((resolve) => setImmediate(resolve)),
): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  await moment;
  throw new Error('The disk fails.');
}
