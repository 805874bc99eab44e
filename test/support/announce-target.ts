import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnFreshPort } from './fresh-port.ts';

export interface TargetRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StartedTarget extends AsyncDisposable {
  /** With a final slash. */
  readonly origin: string;
  /** Complete requests, in order. */
  readonly requests: readonly TargetRequest[];
}

export type AnswerTarget = (request: TargetRequest, response: ServerResponse, number: number) => void;

/** A local server that receives announcements: `answer` gets each with its number, from 1. */
export async function startTarget(answer: AnswerTarget): Promise<StartedTarget> {
  const requests: TargetRequest[] = [];
  const server = createServer(async (message: IncomingMessage, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of message) pieces.push(piece);
    const request = {
      method: message.method ?? '',
      path: message.url ?? '',
      headers: message.headers,
      contentType: message.headers['content-type'] ?? '',
      body: Buffer.concat(pieces).toString(),
    };
    requests.push(request);
    answer(request, response, requests.length);
  });
  const port = await listenOnFreshPort(server);
  return {
    origin: `http://127.0.0.1:${port}/`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
