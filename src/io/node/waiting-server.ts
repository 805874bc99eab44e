import { createServer } from 'node:http';
import { listenError } from '../../errors/listen-error.ts';

export interface WaitingServerOptions {
  readonly host: string;
  readonly port: number;
  /** What is answered, as JSON. */
  readonly answer: () => object;
}

const RETRY_AFTER_SECONDS = 2;

/** Answers everything with 503 while a process is not ready: nobody takes what is not here yet for gone. */
export async function startWaitingServer({ host, port, answer }: WaitingServerOptions): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = 503;
    response.setHeader('content-type', 'application/json');
    response.setHeader('retry-after', RETRY_AFTER_SECONDS);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('connection', 'close');
    response.end(JSON.stringify(answer()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(host, port, error))).listen(port, host, resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
