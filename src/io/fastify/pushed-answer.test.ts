import { expect, test, vi } from 'vitest';
import { exchangeBytes, openSocket, readToEnd, readUntil, serveRoutes } from '../../../test/support/serve-routes.ts';
import { BodyPiece, type BodySink } from '../../hub/http/pushed-body.ts';
import type { Route } from '../../hub/http/route.ts';
import type { ServerLimits } from './limits.ts';

const GET = 'GET /s HTTP/1.1\r\nHost: h\r\n\r\n';
const HEADERS = { 'content-type': 'text/event-stream' };

/** A route with pushed bodies, and the sinks that it got. */
function pushingRoute() {
  const sinks: BodySink[] = [];
  const told: string[] = [];
  const route: Partial<Route> = {
    path: '/s',
    handle: () => ({
      status: 200,
      headers: HEADERS,
      body: {
        begin(sink) {
          sinks.push(sink);
          return { drained: () => told.push('drained'), closed: () => told.push('closed') };
        },
      },
    }),
  };
  const plain: Partial<Route> = { path: '/x' };
  const serve = (limits: Partial<ServerLimits> = {}) => serveRoutes([route, plain], { limits });
  return { serve, sinks, told };
}

test('the head comes before anything is said, and each piece as a chunk of its own', async () => {
  const { serve, sinks } = pushingRoute();
  const { server } = await serve();
  const socket = await openSocket(server.port);
  socket.write(GET);
  const head = (await readUntil(socket, (text) => text.includes('\r\n\r\n'))).toLowerCase();
  expect(head).toContain('transfer-encoding: chunked');
  expect(head).toContain('connection: close');
  const rest = readToEnd(socket);
  sinks[0]?.write(new BodyPiece('ä!'));
  sinks[0]?.write(new BodyPiece('and more'));
  sinks[0]?.end();
  expect(await rest).toBe('3\r\nÃ¤!\r\n8\r\nand more\r\n0\r\n\r\n');
});

test('a client of HTTP/1.0 gets the bytes as they are', async () => {
  const { serve, sinks } = pushingRoute();
  const { server } = await serve();
  const socket = await openSocket(server.port);
  socket.write('GET /s HTTP/1.0\r\n\r\n');
  await readUntil(socket, (text) => text.includes('\r\n\r\n'));
  const rest = readToEnd(socket);
  sinks[0]?.write(new BodyPiece('said'));
  sinks[0]?.end();
  expect(await rest).toBe('said');
});

test('HEAD has the same head, and begins nothing', async () => {
  const { serve, sinks } = pushingRoute();
  const { server } = await serve();
  const answer = await fetch(`${server.url}s`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(sinks).toEqual([]);
});

test('behind an answer that takes longer it has its turn', async () => {
  const { serve, sinks } = pushingRoute();
  const { server } = await serve();
  const socket = await openSocket(server.port);
  socket.write(`GET /x HTTP/1.1\r\nHost: h\r\n\r\n${GET}`);
  const text = await readUntil(socket, (all) => all.includes('event-stream') && all.includes('hello'));
  expect(text.indexOf('hello')).toBeLessThan(text.indexOf('event-stream'));
  expect(sinks).toHaveLength(1);
});

test('who reads nothing is waited for, and told when there is room', async () => {
  const { serve, sinks, told } = pushingRoute();
  const { server } = await serve();
  const socket = await openSocket(server.port);
  socket.write(GET);
  await readUntil(socket, (text) => text.includes('\r\n\r\n'));
  socket.pause();
  const [sink] = sinks;
  const piece = new BodyPiece('x'.repeat(64 * 1024));
  let written = 0;
  for (; written < 1000 && sink?.write(piece); written += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBeLessThan(1000);
  expect(sink?.waitingBytes).toBeGreaterThan(0);
  expect(told).toEqual([]);
  socket.resume();
  await vi.waitFor(() => expect(told).toEqual(['drained']));
  expect(sink?.waitingBytes).toBe(0);
});

test('a client that goes is told once, and writing to it does no harm', async () => {
  const { serve, sinks, told } = pushingRoute();
  const { server, logged } = await serve();
  const socket = await openSocket(server.port);
  socket.write(GET);
  await readUntil(socket, (text) => text.includes('\r\n\r\n'));
  socket.destroy();
  await vi.waitFor(() => expect(told).toEqual(['closed']));
  expect(sinks[0]?.write(new BodyPiece('late'))).toBe(true);
  sinks[0]?.end();
  sinks[0]?.cut();
  expect(told).toEqual(['closed']);
  expect(logged).toEqual([]);
});

test('streams take no place of those who want documents', async () => {
  const { serve, sinks } = pushingRoute();
  const { server } = await serve({ connections: 2, connectionsPerClient: 2 });
  for (let open = 1; open <= 5; open += 1) {
    const socket = await openSocket(server.port);
    socket.write(GET);
    await readUntil(socket, (text) => text.includes('\r\n\r\n'));
  }
  expect(sinks).toHaveLength(5);
  const answer = await exchangeBytes(server.port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(answer).toContain('hello');
});

test.each([
  ['another request', GET],
  ['garbage', 'garbage\r\n\r\n'],
])('%s behind a stream ends it without a word into it', async (_, behind) => {
  const { serve, sinks, told } = pushingRoute();
  const { server } = await serve();
  const socket = await openSocket(server.port);
  socket.write(GET);
  await readUntil(socket, (text) => text.includes('\r\n\r\n'));
  socket.write(behind);
  expect(await readToEnd(socket)).toBe('');
  await vi.waitFor(() => expect(told).toEqual(['closed']));
  expect(sinks).toHaveLength(1);
});

test('one that is idle outlives every limit of documents', async () => {
  const { serve, sinks, told } = pushingRoute();
  const limits = { keepAliveMs: 20, headersTimeoutMs: 40, requestTimeoutMs: 40, stallMs: 20 };
  const { server } = await serve(limits);
  const socket = await openSocket(server.port);
  socket.write(GET);
  await readUntil(socket, (text) => text.includes('\r\n\r\n'));
  // A connection that never asks is ended by those limits: it tells when they were applied.
  const idle = await openSocket(server.port);
  idle.write('GET');
  await readToEnd(idle);
  expect(told).toEqual([]);
  sinks[0]?.write(new BodyPiece('still here'));
  expect(await readUntil(socket, (text) => text.includes('here'))).toContain('still here');
});

test('closing the server cuts a stream that nobody ends', async () => {
  const { serve, told } = pushingRoute();
  const { server } = await serve();
  const socket = await openSocket(server.port);
  socket.write(GET);
  await readUntil(socket, (text) => text.includes('\r\n\r\n'));
  await server.close(20);
  expect(told).toEqual(['closed']);
});
