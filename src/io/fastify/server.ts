import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify } from 'fastify';
import { listenError } from '../../errors/listen-error.ts';
import type { Route } from '../../hub/http/route.ts';
import type { HubLogger } from '../../hub/watch/logger.ts';
import type { HubMetrics } from '../../hub/watch/metrics.ts';
import { FastifyExchange } from './exchange.ts';
import { createGate } from './gate.ts';
import { KnownPaths, type RequestListener } from './known-paths.ts';
import { DEFAULT_LIMITS, type ServerLimits } from './limits.ts';
import { OpenConnections } from './open-connections.ts';
import { PreparedResponse } from './prepared-response.ts';
import { addRoutes } from './routes.ts';
import { guardSockets } from './sockets.ts';
import { TrustedProxies } from './trusted-proxies.ts';

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Whether the value of an `Authorization` header carries the hub's token. */
  isAdmin(authorization: string): boolean;
  /** Addresses or networks whose `X-Forwarded-For` is believed. */
  readonly trustProxies: readonly string[];
  /** The only names under which it answers, in lower case. Absent: any. */
  readonly hosts?: readonly string[] | undefined;
  /** Paths at which a request for another name is forbidden (403), and not led elsewhere (421). */
  readonly guardedPaths?: readonly string[];
  readonly limits?: Partial<ServerLimits>;
  readonly logger: HubLogger;
  /** Whether every request is logged at `debug`, not only those that fail. */
  readonly logRequests?: boolean;
  readonly metrics: HubMetrics;
  /** Which hub this is, said with every answer. */
  readonly hubId?: string;
  /** Tells for how long a head that was written holds: within a second of it. `Date.now` unless said otherwise. */
  readonly now?: () => number;
  /** Closes the server as `close(10_000)` does. */
  readonly signal?: AbortSignal;
}

export interface HttpServer {
  /** Where it answers, with a final slash. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections and ends idle ones; running requests have up to `graceMs`, then their connections are cut. A second call joins the first. */
  close(graceMs: number): Promise<void>;
}

const SIGNAL_GRACE_MS = 10_000;

/** Routes check what they are given by themselves. The compilers of Fastify would be loaded all the same, while the hub answers nobody. */
const WITHOUT_SCHEMAS = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

function refuseSchema(): never {
  throw new Error('Routes of a hub have no schemas.');
}

/** Fails with `ListenError` if it cannot listen. */
export async function startFastifyServer(options: ServerOptions): Promise<HttpServer> {
  const { routes, host, port, isAdmin, logger, metrics, signal } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const proxies = new TrustedProxies(options.trustProxies);
  const connections = new OpenConnections(limits, proxies);
  const exchange = new FastifyExchange({
    logger,
    logRequests: options.logRequests ?? false,
    hubId: options.hubId,
    proxies,
    connections,
    now: options.now,
  });
  const paths = new KnownPaths();
  const { sockets } = connections;

  const app = fastify({
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false,
    // A connection that outlives the closing is answered as long as it may be.
    return503OnClosing: false,
    routerOptions: { maxParamLength: limits.urlCharacters, querystringParser: () => ({}) },
    schemaController: { compilersFactory: WITHOUT_SCHEMAS },
    serverFactory: (handler) => {
      const { urlCharacters } = limits;
      const gate = createGate({ ...options, exchange, connections, urlCharacters }, paths.before(handler));
      const server = createLimitedServer(limits, gate);
      guardSockets(server, { exchange, limits, logger, connections, handler: gate });
      return server;
    },
    clientErrorHandler: () => undefined,
  });
  addRoutes(app, { routes, isAdmin, exchange, metrics, proxies, paths });
  await nextTurn();
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw error instanceof Error && 'code' in error ? listenError(host, port, error) : error;
  }

  app.server.on('error', (error) => logger.error({ error }, 'A connection could not be taken'));

  let closed: Promise<void> | undefined;
  const close = (graceMs: number): Promise<void> => {
    exchange.isClosing = true;
    // Node counts a connection without a first byte as one with a request; nobody waits for that.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    closed ??= closeServer(app.server, sockets, graceMs).then(() => app.close());
    return closed;
  };
  if (signal?.aborted === true) await close(0);
  else signal?.addEventListener('abort', () => void close(SIGNAL_GRACE_MS), { once: true });

  const address = app.server.address();
  const listening = address !== null && typeof address === 'object' ? address.port : port;
  return { url: `http://${nameOf(host)}:${listening}/`, port: listening, close };
}

function createLimitedServer(limits: ServerLimits, listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.ceil(Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs) / 4),
      // The gate says it as a problem document.
      requireHostHeader: false,
      insecureHTTPParser: false,
      ServerResponse: PreparedResponse,
    },
    listener,
  );
  server.maxConnections = limits.connections + limits.streams;
  return server;
}

/** How often connections that have become idle are ended while the server closes. */
const SWEEP_MS = 25;

async function closeServer(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
    // A server counts a connection as closed before its close listeners run.
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}

/** A name that leads to this machine, even if the server listens on all of its addresses. */
function nameOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
