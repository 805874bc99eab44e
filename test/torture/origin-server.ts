import { createServer, type Socket } from 'node:net';
import { listenOnFreshPort } from '../support/fresh-port.ts';

export interface RawRequest {
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Does to the socket whatever this origin does when it is asked. */
export type Answer = (socket: Socket, request: RawRequest) => void;

export interface OriginServer extends AsyncDisposable {
  /** With a trailing slash. */
  readonly origin: string;
  readonly requests: readonly RawRequest[];
  /** How many sockets were ever opened. */
  readonly connections: number;
}

export interface WellFormed {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An origin below HTTP: it reads the head of a request, and what it writes is up to the answer, byte by byte. */
export async function startOriginServer(answer: Answer, host = '127.0.0.1', port = 0): Promise<OriginServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    let head = '';
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1');
      for (let end = head.indexOf('\r\n\r\n'); end !== -1; end = head.indexOf('\r\n\r\n')) {
        const request = parseHead(head.slice(0, end));
        head = head.slice(end + 4);
        requests.push(request);
        answer(socket, request);
      }
    });
    // The client may hang up in the midst of anything.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const given = port === 0 ? await listenOnFreshPort(server, host) : port;
  if (port !== 0) await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${given}/`,
    requests,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer as it should be; the connection stays open. */
export function respond(socket: Socket, { status = 200, headers = {}, body = '' }: WellFormed): void {
  const bytes = Buffer.from(body);
  socket.write(headOf(status, { ...headers, 'content-length': `${bytes.length}` }));
  socket.write(bytes);
}

/** Status line and headers, with the empty line that ends them. */
export function headOf(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n`;
}

/** Writes these, so many milliseconds apart, as long as somebody listens; then `end`. */
export function drip(socket: Socket, pieces: Iterator<string | Uint8Array>, pauseMs: number, end = () => {}): void {
  const next = () => {
    if (socket.destroyed) return;
    const piece = pieces.next();
    if (piece.done) return end();
    socket.write(piece.value);
    setTimeout(next, pauseMs);
  };
  next();
}

/** Writes the same bytes for ever, no faster than they are taken. */
export function pour(socket: Socket, bytes: Uint8Array): void {
  const more = () => {
    while (!socket.destroyed) if (!socket.write(bytes)) return void socket.once('drain', more);
  };
  more();
}

function parseHead(head: string): RawRequest {
  const [start = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { path: start.split(' ')[1] ?? '/', headers: Object.fromEntries(headers) };
}
