import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One subscriber, and what it has had. */
export interface WebSubReader {
  readonly callback: string;
  readonly secret: string;
  readonly fails: boolean;
  /** The newest delivery. */
  last: Buffer | undefined;
  inFlight: number;
  together: number;
  forged: number;
  /** States that came behind newer ones. */
  older: number;
  newest: number;
  /** When each mark came first. */
  readonly atMs: Map<string, number>;
}

export interface WebSubReaders extends AsyncDisposable {
  readonly all: readonly WebSubReader[];
  /** Whether all that do not fail have a state with this mark. */
  haveAll(mark: string): boolean;
  /** From the first of those that got it to the last. */
  spreadOf(mark: string): number;
  judge(): Record<string, number>;
}

/** Ways to fail, in turn; every fifth subscriber has one. */
const FAILURES: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(500).end(),
  () => {},
  (response) => response.socket?.destroy(),
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  (response) => response.writeHead(503, { 'retry-after': '1' }).end('x'.repeat(1_000_000)),
];
const EVERY = 5;
const MARK = /edit-(\d+)-end/g;

export async function startWebSubReaders(count: number): Promise<WebSubReaders> {
  const all: WebSubReader[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://readers');
    const at = Number(url.pathname.slice(1));
    const reader = all[at];
    if (reader === undefined) return void response.writeHead(404).end();
    if (request.method === 'GET') return void response.end(url.searchParams.get('hub.challenge'));
    reader.inFlight += 1;
    response.once('close', () => {
      reader.inFlight -= 1;
    });
    if (reader.inFlight > 1) reader.together += 1;
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch {
      // The hub was killed in the midst of it.
      return;
    }
    const failure = FAILURES[Math.floor(at / EVERY) % FAILURES.length];
    if (reader.fails && failure !== undefined) return failure(response);
    take(reader, Buffer.concat(pieces), String(request.headers['x-hub-signature']));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (let at = 0; at < count; at += 1) {
    const counts = { inFlight: 0, together: 0, forged: 0, older: 0, newest: 0 };
    const callback = `http://127.0.0.1:${port}/${at}`;
    const fails = at % EVERY === EVERY - 1;
    all.push({ ...counts, callback, secret: `secret-${at}`, fails, last: undefined, atMs: new Map() });
  }
  const well = () => all.filter(({ fails }) => !fails);
  const sum = (name: 'together' | 'forged' | 'older') => all.reduce((count, reader) => count + reader[name], 0);
  return {
    all,
    haveAll: (mark) => well().every(({ atMs }) => atMs.has(mark)),
    spreadOf(mark) {
      const times = well().flatMap(({ atMs }) => atMs.get(mark) ?? []);
      return Math.max(...times) - Math.min(...times);
    },
    judge: () => ({
      'deliveries at the same time': sum('together'),
      'wrong signatures': sum('forged'),
      'older states behind newer ones': sum('older'),
    }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function take(reader: WebSubReader, body: Buffer, signature: string): void {
  const own = `sha256=${createHmac('sha256', reader.secret).update(body).digest('hex')}`;
  if (signature !== own) reader.forged += 1;
  const marks = [...body.toString().matchAll(MARK)];
  const newest = Math.max(0, ...marks.map(([, number]) => Number(number)));
  if (newest < reader.newest) reader.older += 1;
  reader.newest = Math.max(newest, reader.newest);
  reader.last = body;
  const nowMs = performance.now();
  for (const [mark] of marks) if (!reader.atMs.has(mark)) reader.atMs.set(mark, nowMs);
}
