import { hash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { listenOnFreshPort } from './fresh-port.ts';

/** Faults of a real origin, once per entry in the queue of a path. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** Sends this many bytes of the body under the full content-length, then resets the connection. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The same under chunked encoding. */
  | { readonly kind: 'cut-chunked'; readonly afterBytes: number }
  | { readonly kind: 'reset' }
  /** Sends the head but never a body. */
  | { readonly kind: 'stall' }
  /** Answers 206 with the bytes of another place than requested. */
  | { readonly kind: 'wrong-range'; readonly start: number }
  /** Ends the answer to a range request after this many bytes, correctly labelled. */
  | { readonly kind: 'short-range'; readonly bytes: number }
  | { readonly kind: 'range-not-satisfiable' };

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly atMs: number;
  /** Set when the answer is sent. */
  status: number;
  bytesSent: number;
}

export interface Resource {
  readonly body: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FeedServerOptions {
  /** Answer `Range` with 206. Default: true. */
  readonly ranges?: boolean;
  /** Which validators are sent and honoured. */
  readonly validators?: 'etag' | 'last-modified' | 'none';
  readonly gzip?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface FeedServer extends AsyncDisposable {
  /** With a trailing slash. */
  readonly origin: string;
  readonly requests: SeenRequest[];
  /** How many queued faults a request has met. */
  readonly faultsFired: number;
  /** The total number of opened sockets. */
  readonly connections: number;
  readonly options: { -readonly [K in keyof FeedServerOptions]: FeedServerOptions[K] };
  put(path: string, resource: string | Resource): void;
  append(path: string, text: string): void;
  remove(path: string): void;
  /** The next requests of `path` meet these faults, one each. */
  fail(path: string, ...faults: Fault[]): void;
  /** The paths requested since the last call. */
  takePaths(): string[];
  takeRequests(): SeenRequest[];
}

/** A real origin on loopback that serves what a test adds, and fails as the test says. */
export async function startFeedServer(options: FeedServerOptions = {}): Promise<FeedServer> {
  const settings: FeedServer['options'] = { ranges: true, validators: 'etag', ...options };
  const resources = new Map<string, Resource & { modifiedMs: number }>();
  const faults = new Map<string, Fault[]>();
  const requests: SeenRequest[] = [];
  let taken = 0;
  let faultsFired = 0;
  let connections = 0;

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    const seen: SeenRequest = { path, headers: request.headers, atMs: performance.now(), status: 0, bytesSent: 0 };
    requests.push(seen);
    response.on('close', () => {
      seen.status = response.statusCode;
    });
    const fault = faults.get(path)?.shift();
    if (fault !== undefined) faultsFired += 1;
    serve({ request, response, seen, settings, fault, resource: resources.get(path) });
  };
  const server = settings.tls ? createTlsServer(settings.tls, answer) : createServer(answer);
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listenOnFreshPort(server);

  const takeRequests = () => {
    const fresh = requests.slice(taken);
    taken = requests.length;
    return fresh;
  };
  return {
    origin: `${settings.tls ? 'https' : 'http'}://127.0.0.1:${port}/`,
    requests,
    get faultsFired() {
      return faultsFired;
    },
    get connections() {
      return connections;
    },
    options: settings,
    put(path, resource) {
      const full = typeof resource === 'string' ? { body: resource } : resource;
      resources.set(path, { ...full, modifiedMs: Date.now() });
    },
    append(path, text) {
      const old = resources.get(path);
      const body = Buffer.concat([Buffer.from(old?.body ?? ''), Buffer.from(text)]);
      resources.set(path, { ...old, body, modifiedMs: Date.now() });
    },
    remove: (path) => void resources.delete(path),
    fail: (path, ...more) => void faults.set(path, [...(faults.get(path) ?? []), ...more]),
    takePaths: () => takeRequests().map(({ path }) => path),
    takeRequests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Serving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly seen: SeenRequest;
  readonly settings: FeedServer['options'];
  readonly fault: Fault | undefined;
  readonly resource: (Resource & { modifiedMs: number }) | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const EMPTY = Buffer.alloc(0);

function serve(serving: Serving): void {
  const { request, response, seen, fault } = serving;
  if (fault?.kind === 'reset') {
    request.socket.destroy();
    return;
  }
  if (fault?.kind === 'stall') {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' }).flushHeaders();
    return;
  }
  const { status, headers, body } = answerTo(serving);
  if (fault?.kind === 'cut' || fault?.kind === 'cut-chunked') {
    const part = body.subarray(0, fault.afterBytes);
    seen.bytesSent = part.length;
    response.writeHead(status, fault.kind === 'cut' ? { ...headers, 'content-length': body.length } : headers);
    response.write(part, () => setImmediate(() => response.socket?.destroy()));
    return;
  }
  seen.bytesSent = body.length;
  response.writeHead(status, status === 304 ? headers : { ...headers, 'content-length': body.length }).end(body);
}

function answerTo({ request, seen, settings, fault, resource }: Serving): Answer {
  if (fault?.kind === 'status') {
    return { status: fault.status, headers: fault.headers ?? {}, body: Buffer.from(fault.body ?? 'fault') };
  }
  if (resource === undefined) {
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.from('not here') };
  }

  const whole = Buffer.from(resource.body);
  const status = resource.status ?? 200;
  const headers: Record<string, string> = { 'content-type': typeOf(seen.path) };
  if (settings.validators === 'etag') headers.etag = `"${hash('sha256', whole).slice(0, 16)}"`;
  if (settings.validators === 'last-modified') headers['last-modified'] = new Date(resource.modifiedMs).toUTCString();
  Object.assign(headers, resource.headers);
  if (notModified(request, headers)) return { status: 304, headers, body: EMPTY };

  const start = rangeStart(request, settings);
  if (fault?.kind === 'range-not-satisfiable' || (start !== undefined && start >= whole.length)) {
    return { status: 416, headers: { 'content-range': `bytes */${whole.length}` }, body: EMPTY };
  }
  if (start !== undefined) {
    const from = fault?.kind === 'wrong-range' ? fault.start : start;
    const part = whole.subarray(from, fault?.kind === 'short-range' ? from + fault.bytes : undefined);
    headers['content-range'] = `bytes ${from}-${from + part.length - 1}/${whole.length}`;
    return { status: 206, headers, body: part };
  }
  if (settings.gzip && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(whole) };
  }
  return { status, headers, body: whole };
}

function notModified(request: IncomingMessage, headers: Record<string, string>): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers;
  if (tags !== undefined) return headers.etag !== undefined && tags.includes(headers.etag);
  if (since === undefined || headers['last-modified'] === undefined) return false;
  return Date.parse(headers['last-modified']) <= Date.parse(since);
}

function rangeStart(request: IncomingMessage, settings: FeedServer['options']): number | undefined {
  const match = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  return settings.ranges && match?.[1] !== undefined ? Number(match[1]) : undefined;
}

function typeOf(path: string): string {
  if (path.endsWith('.ndjson')) return 'application/x-ndjson';
  return path.endsWith('/ai-changefeed') ? 'application/json' : 'text/html; charset=utf-8';
}
