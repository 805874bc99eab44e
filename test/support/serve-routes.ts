import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Route } from '../../src/hub/http/route.ts';
import type { HubLogger, LogFields } from '../../src/hub/watch/logger.ts';
import { type HttpServer, type ServerOptions, startFastifyServer } from '../../src/io/fastify/server.ts';
import { createPromMetrics } from '../../src/io/prom/metrics.ts';

export interface LoggedLine {
  readonly level: keyof HubLogger;
  readonly fields: LogFields;
  readonly message: string;
}

export interface ServedRoutes {
  readonly server: HttpServer;
  readonly logged: readonly LoggedLine[];
  readonly metrics: ReturnType<typeof createPromMetrics>;
}

/** The valid token in the tests of the server. */
export const RIGHT_TOKEN = 'Bearer right-token';

/** A real server on loopback with these routes, closed when the test ends. */
export async function serveRoutes(
  routes: readonly Partial<Route>[],
  options: Partial<ServerOptions> = {},
): Promise<ServedRoutes> {
  const logged: LoggedLine[] = [];
  const say = (level: keyof HubLogger) => (fields: LogFields, message: string) => {
    logged.push({ level, fields, message });
  };
  const metrics = createPromMetrics();
  const server = await startFastifyServer({
    routes: routes.map(completeRoute),
    host: '127.0.0.1',
    port: 0,
    isAdmin: (authorization) => authorization === RIGHT_TOKEN,
    trustProxies: [],
    logger: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
    metrics,
    ...options,
  });
  onTestFinished(() => server.close(0));
  return { server, logged, metrics };
}

function completeRoute(route: Partial<Route>): Route {
  return {
    method: 'GET',
    path: '/',
    access: 'open',
    summary: '',
    responses: {},
    handle: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'hello' }),
    ...route,
  };
}

/** Writes these bytes to the server and returns everything that comes back until it ends the connection. */
export async function exchangeBytes(port: number, request: string | Buffer): Promise<string> {
  const socket = await openSocket(port);
  socket.write(request);
  return readToEnd(socket);
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Reads to the end or the reset of the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** Reads until the text so far satisfies `isEnough`. */
export async function readUntil(socket: Socket, isEnough: (text: string) => boolean): Promise<string> {
  let text = '';
  while (!isEnough(text)) {
    const [chunk] = await once(socket, 'data');
    text += String(chunk);
  }
  return text;
}

/** A promise, and the function that resolves it. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
