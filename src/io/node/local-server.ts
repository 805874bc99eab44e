import { createServer, type IncomingMessage, type Server } from 'node:http';
import { listenError } from '../../errors/listen-error.ts';
import { codeOf } from '../files/folder.ts';

export interface LocalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface LocalServer extends AsyncDisposable {
  readonly port: number;
}

const HOST = '127.0.0.1';

/**
 * Answers this machine alone. A request that names another host is refused: a page of somebody else, whose name was made to lead here, must not read what is
 * served.
 */
export async function startLocalServer(
  { port, mayMove }: { readonly port: number; readonly mayMove: boolean },
  answer: (target: string) => LocalAnswer,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    request.resume();
    const { status, headers, body } = answerOf(request, server, answer);
    response.writeHead(status, {
      ...headers,
      'content-length': body.length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await listen(server, port).catch(async (error: unknown) => {
    if (!mayMove || codeOf(error) !== 'EADDRINUSE') throw listenError(HOST, port, error);
    await listen(server, 0);
  });
  return {
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function answerOf(request: IncomingMessage, server: Server, answer: (target: string) => LocalAnswer): LocalAnswer {
  const own = [HOST, 'localhost'].map((name) => `${name}:${portOf(server)}`);
  if (!own.includes((request.headers.host ?? '').toLowerCase()))
    return plain(403, `Ask for http://${own[0]}/ instead.`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only GET and HEAD are answered.');
  try {
    return answer(request.url ?? '/');
  } catch (error) {
    return plain(500, error instanceof Error ? error.message : String(error));
  }
}

function plain(status: number, words: string): LocalAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${words}\n`) };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
