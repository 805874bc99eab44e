import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnFreshPort } from './fresh-port.ts';

export interface EmbeddingServer extends AsyncDisposable {
  /** The base: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Every requested text, in order. */
  readonly texts: string[];
  readonly requests: { readonly model: string; readonly count: number; readonly authorization: string | undefined }[];
  /** Answers the next requests instead, one each. */
  readonly instead: ((response: ServerResponse, input: readonly string[]) => void)[];
}

const DIMENSION = 4;

/** Always the same for a text. */
export function embeddingOf(text: string): readonly number[] {
  return Array.from(
    { length: DIMENSION },
    (_, at) => ((text.length * 31 + text.charCodeAt(at % text.length)) % 97) / 97,
  );
}

/** A server with the API of OpenAI that returns vectors in another order than requested. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const texts: string[] = [];
  const requests: EmbeddingServer['requests'] = [];
  const instead: EmbeddingServer['instead'] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such path"}}');
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { model, input } = JSON.parse(Buffer.concat(pieces).toString()) as { model: string; input: string[] };
    requests.push({ model, count: input.length, authorization: request.headers.authorization });
    const other = instead.shift();
    if (other !== undefined) {
      other(response, input);
      return;
    }
    texts.push(...input);
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embeddingOf(text) })).reverse();
    const usage = { prompt_tokens: input.length * 10, total_tokens: input.length * 10 };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data, usage }));
  };
  // Keeps connections open, so that no client has to send its texts again.
  server.keepAliveTimeout = 600_000;
  const port = await listenOnFreshPort(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    texts,
    requests,
    instead,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
