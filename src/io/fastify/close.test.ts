import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  deferred,
  exchangeBytes,
  openSocket,
  readToEnd,
  readUntil,
  serveRoutes,
} from '../../../test/support/serve-routes.ts';
import type { HubResponse, Route } from '../../hub/http/route.ts';

const GET = 'GET /x HTTP/1.1\r\nHost: h\r\n\r\n';

/** A route whose handler waits until it is told to go on. */
function heldRoute(answer: HubResponse = { status: 200, headers: {}, body: 'late' }) {
  const started = deferred<AbortSignal>();
  const release = deferred();
  const route: Partial<Route> = {
    path: '/x',
    handle: async ({ signal }) => {
      started.resolve(signal);
      await release.promise;
      return answer;
    },
  };
  return { route, started: started.promise, release: release.resolve };
}

test('closing lets a running request finish and ends its connection', async () => {
  const { route, started, release } = heldRoute();
  const { server } = await serveRoutes([route]);
  const socket = await openSocket(server.port);
  socket.write(GET);
  const signal = await started;
  const closed = server.close(60_000);
  const again = server.close(0);
  await expect(exchangeBytes(server.port, GET)).rejects.toThrow('ECONNREFUSED');
  release();
  const answer = await readToEnd(socket);
  expect(answer).toContain('late');
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(signal.aborted).toBe(false);
  await Promise.all([closed, again, server.close(0)]);
});

test('closing ends connections that wait, also those that never asked', async () => {
  const { server } = await serveRoutes([{ path: '/x' }]);
  const idle = await openSocket(server.port);
  idle.write(GET);
  await readUntil(idle, (text) => text.includes('hello'));
  const fresh = await openSocket(server.port);
  const ended = [readToEnd(idle), readToEnd(fresh)];
  await server.close(60_000);
  expect(await Promise.all(ended)).toEqual(['', '']);
});

test('an answer that was on its way when the server closed ends its connection too', async () => {
  const go = deferred();
  const { server } = await serveRoutes([
    { path: '/x', handle: () => ({ status: 200, headers: {}, body: halves(go.promise) }) },
  ]);
  const socket = await openSocket(server.port);
  socket.write(GET);
  await readUntil(socket, (text) => text.includes('first'));
  const closed = server.close(60_000);
  go.resolve();
  expect(await readToEnd(socket)).toContain('second');
  await closed;
});

test('what takes longer than the grace is cut, and its handler is told', async () => {
  const { route, started } = heldRoute();
  const { server, logged } = await serveRoutes([route]);
  const socket = await openSocket(server.port);
  socket.write(GET);
  const signal = await started;
  await server.close(30);
  expect(await readToEnd(socket)).toBe('');
  expect(signal.aborted).toBe(true);
  expect(logged).toEqual([]);
});

test('a signal closes the server', async () => {
  const stop = new AbortController();
  const { server } = await serveRoutes([{ path: '/x' }], { signal: stop.signal });
  expect((await fetch(`${server.url}x`)).status).toBe(200);
  stop.abort();
  await server.close(0);
  await expect(exchangeBytes(server.port, GET)).rejects.toThrow('ECONNREFUSED');
});

test('a client that goes away aborts the request, and nothing of it is logged as a fault', async () => {
  const { route, started, release } = heldRoute();
  const { server, logged } = await serveRoutes([route]);
  const socket = await openSocket(server.port);
  socket.write(GET);
  const signal = await started;
  socket.destroy();
  if (!signal.aborted) await once(signal, 'abort');
  release();
  await server.close(0);
  expect(logged).toEqual([]);
});

async function* halves(go: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  await go;
  yield Buffer.from('second');
}
