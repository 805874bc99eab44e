import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** Faults of an origin for one request. */
export const FAULTS = [
  'status-500',
  'status-403',
  'pause-429',
  'pause-503',
  'reset',
  'cut',
  'cut-chunked',
  'length-too-long',
  'length-too-short',
  'slow',
  'empty',
] as const;
export type Fault = (typeof FAULTS)[number];

/** `turn`: pages and sitemaps, which wait for their turn. Protocol documents and robots.txt do not. */
type RequestClass = 'turn' | 'protocol' | 'robots';

export interface SeenRequest {
  readonly path: string;
  readonly of: RequestClass;
  /** The address of the client. */
  readonly from: string;
  readonly startMs: number;
  /** When the last byte was about to be passed to the socket, or the connection was gone; Infinity until then. */
  endMs: number;
  status: number;
  readonly fault?: Fault;
}

interface Served {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly etag: string;
}

/** The content of a site by path. Several hosts may serve the same. */
export class Content {
  readonly #served = new Map<string, Served>();

  find(path: string): Served | undefined {
    return this.#served.get(path);
  }

  put(path: string, text: string | Uint8Array): void {
    const body = Buffer.from(text);
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    this.#served.set(path, { body, etag, mediaType: mediaTypeOf(path) });
  }

  append(path: string, text: string): void {
    this.put(path, Buffer.concat([this.find(path)?.body ?? Buffer.alloc(0), Buffer.from(text)]));
  }

  remove(path: string): void {
    this.#served.delete(path);
  }
}

/** One host: its own address on the shared port. */
export interface VirtualHost {
  readonly address: string;
  /** `http://127.0.1.7:<port>/` */
  readonly url: string;
  content: Content;
  /** Whether answers carry an ETag and are conditional. */
  validators: boolean;
  readonly requests: SeenRequest[];
  /** The number of requests being answered now. */
  readonly open: number;
  /** The next request except robots.txt meets it. */
  fail(fault: Fault): void;
  /** While set, every request except robots.txt meets it. */
  down: Fault | undefined;
}

export interface ManySites extends AsyncDisposable {
  readonly port: number;
  readonly hosts: readonly VirtualHost[];
  /** How often each fault met a request. */
  readonly fired: ReadonlyMap<Fault, number>;
  /** Resolves when the next request is answered. */
  nextAnswer(): Promise<void>;
}

const HOSTS_PER_BLOCK = 250;
/** The time from the first piece of a slow answer to its last. */
const SLOW_MS = 800;
const SLOW_PIECES = 8;

/** Many hosts in one process: 127.0.1.1, 127.0.1.2 …, or the same in another network of this machine. robots.txt is a 404 unless there is one. */
export async function startManySites(count: number, network = '127.0'): Promise<ManySites> {
  const byAddress = new Map<string, Host>();
  const fired = new Map<Fault, number>();
  const waiting: (() => void)[] = [];
  const server = createServer({ keepAliveTimeout: 10_000 }, (request, response) => {
    response.once('close', () => {
      for (const resolve of waiting.splice(0)) resolve();
    });
    const host = byAddress.get(request.socket.localAddress ?? '');
    if (host === undefined) response.writeHead(421).end();
    else host.answer(request, response, fired);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  for (let index = 0; index < count; index += 1) {
    const address = `${network}.${1 + Math.floor(index / HOSTS_PER_BLOCK)}.${1 + (index % HOSTS_PER_BLOCK)}`;
    byAddress.set(address, new Host(address, port));
  }
  return {
    port,
    hosts: [...byAddress.values()],
    fired,
    nextAnswer: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether this machine answers on all of 127.0.0.0/8, as Linux does. */
export async function hasManyLoopbacks(): Promise<boolean> {
  await using sites = await startManySites(1);
  return await new Promise((resolve) => {
    const socket = connect(sites.port, '127.0.1.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

class Host implements VirtualHost {
  readonly address: string;
  readonly url: string;
  readonly requests: SeenRequest[] = [];
  content = new Content();
  validators = true;
  down: Fault | undefined;
  open = 0;
  readonly #faults: Fault[] = [];

  constructor(address: string, port: number) {
    this.address = address;
    this.url = `http://${address}:${port}/`;
  }

  fail(fault: Fault): void {
    this.#faults.push(fault);
  }

  answer(request: IncomingMessage, response: ServerResponse, fired: Map<Fault, number>): void {
    const path = request.url ?? '/';
    const of = classOf(path);
    const fault = of === 'robots' ? undefined : (this.#faults.shift() ?? this.down);
    if (fault !== undefined) fired.set(fault, (fired.get(fault) ?? 0) + 1);
    const from = request.socket.remoteAddress ?? '';
    const seen = { path, of, from, startMs: performance.now(), endMs: Number.POSITIVE_INFINITY, status: 0, fault };
    this.requests.push(seen);
    this.open += 1;
    const end = () => {
      if (seen.endMs !== Number.POSITIVE_INFINITY) return;
      seen.endMs = performance.now();
      seen.status = response.statusCode;
      this.open -= 1;
    };
    response.on('close', end);
    const { 'if-none-match': knownEtag, range } = request.headers;
    const asked = { served: this.content.find(path), knownEtag, range, validators: this.validators };
    send(fault === undefined ? answerWell(asked) : answerBadly(fault, asked), { request, response, end });
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Call it before the last byte is passed on, or the connection ends: the client may know at once. */
  readonly end: () => void;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** `cut`: the connection breaks after the body. `drip`: the body comes in pieces. */
  readonly by?: 'cut' | 'drip' | 'reset';
}

interface Asked {
  readonly served: Served | undefined;
  readonly knownEtag: string | undefined;
  readonly range: string | undefined;
  readonly validators: boolean;
}

const HTML = { 'content-type': 'text/html' };
const NOT_FOUND: Answer = { status: 404, headers: HTML, body: '<h1>Not found</h1>' };

function answerWell({ served, knownEtag, range: asked = '', validators }: Asked): Answer {
  if (served === undefined) return NOT_FOUND;
  const { body, etag, mediaType } = served;
  const headers = { 'content-type': mediaType, ...(validators && { etag }) };
  if (validators && knownEtag === etag) return { status: 304, headers, body: '' };
  const range = /^bytes=(\d+)-$/.exec(asked);
  const start = Number(range?.[1] ?? 0);
  if (range === null || !validators) {
    return { status: 200, headers: { ...headers, 'content-length': `${body.length}` }, body };
  }
  if (start >= body.length) return { status: 416, headers: { 'content-range': `bytes */${body.length}` }, body: '' };
  const contentRange = `bytes ${start}-${body.length - 1}/${body.length}`;
  return { status: 206, headers: { ...headers, 'content-range': contentRange }, body: body.subarray(start) };
}

function answerBadly(fault: Fault, { served }: Asked): Answer {
  if (fault === 'status-500') return { status: 500, headers: HTML, body: '<h1>Internal error</h1>' };
  if (fault === 'status-403') return { status: 403, headers: HTML, body: '<h1>Go away</h1>' };
  if (fault === 'pause-429') return { status: 429, headers: { 'retry-after': '2' }, body: '' };
  if (fault === 'pause-503') return { status: 503, headers: { 'retry-after': '2' }, body: '' };
  if (served === undefined) return { ...NOT_FOUND, by: fault === 'slow' ? 'drip' : 'reset' };
  const { body, mediaType } = served;
  const part = body.subarray(0, Math.floor(body.length * 0.6));
  const answer = (bytes: Buffer, length: number | undefined, by?: Answer['by']): Answer => ({
    status: 200,
    headers: { 'content-type': mediaType, ...(length !== undefined && { 'content-length': `${length}` }) },
    body: bytes,
    by,
  });
  const faulty: Record<typeof fault, Answer> = {
    reset: answer(part, undefined, 'reset'),
    cut: answer(part, body.length, 'cut'),
    'cut-chunked': answer(part, undefined, 'cut'),
    'length-too-long': answer(body, body.length + 50, 'cut'),
    'length-too-short': answer(body, part.length),
    slow: answer(body, undefined, 'drip'),
    empty: answer(Buffer.alloc(0), 0),
  };
  return faulty[fault];
}

function send({ status, headers, body, by }: Answer, { request, response, end }: Exchange): void {
  if (by === 'reset') {
    end();
    request.socket.resetAndDestroy();
    return;
  }
  response.writeHead(status, headers);
  if (by === 'cut') {
    const cutOff = () => {
      end();
      response.socket?.destroy();
    };
    response.write(body, () => setImmediate(cutOff));
  } else if (by === 'drip') {
    drip(Buffer.from(body), response, end);
  } else {
    end();
    response.end(body);
  }
}

function drip(body: Buffer, response: ServerResponse, end: () => void): void {
  const size = Math.max(1, Math.ceil(body.length / SLOW_PIECES));
  let sent = 0;
  const next = () => {
    if (response.destroyed) return;
    response.write(body.subarray(sent, sent + size));
    sent += size;
    if (sent < body.length) {
      setTimeout(next, SLOW_MS / SLOW_PIECES);
      return;
    }
    end();
    response.end();
  };
  next();
}

function classOf(path: string): RequestClass {
  if (path === '/robots.txt') return 'robots';
  return path.endsWith('.ndjson') || path.startsWith('/.well-known/') ? 'protocol' : 'turn';
}

function mediaTypeOf(path: string): string {
  if (path.endsWith('.xml')) return 'application/xml';
  if (path.endsWith('.txt')) return 'text/plain';
  if (path.endsWith('.ndjson')) return 'application/x-ndjson';
  return path.endsWith('/ai-changefeed') ? 'application/json' : 'text/html; charset=utf-8';
}
