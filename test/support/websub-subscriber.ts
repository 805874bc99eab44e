import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenOnFreshPort } from './fresh-port.ts';

/** A request as received. */
export interface CallbackRequest {
  readonly method: string;
  /** With its query, byte for byte. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternately, as sent. */
  readonly rawHeaders: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

type Answer = (request: CallbackRequest, response: ServerResponse) => void;

export interface TestSubscriber extends AsyncDisposable {
  url(path: string): string;
  readonly origin: string;
  readonly requests: readonly CallbackRequest[];
  /** Sets how a path answers challenges and denials, and deliveries. */
  answer(path: string, how: { readonly get?: Answer; readonly post?: Answer }): void;
  /** GETs of a path with this mode. */
  asked(path: string, mode?: string): readonly CallbackRequest[];
  delivered(path: string): readonly CallbackRequest[];
}

export const confirm: Answer = ({ query }, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(query.getAll('hub.challenge').at(-1) ?? '');
};

export function status(code: number, body = '', headers: Record<string, string> = {}): Answer {
  return (_, response) => void response.writeHead(code, headers).end(body);
}

/** A subscriber that confirms and accepts everything, unless told otherwise. */
export async function startSubscriber(): Promise<TestSubscriber> {
  const requests: CallbackRequest[] = [];
  const answers = new Map<string, { readonly get?: Answer; readonly post?: Answer }>();
  const server = createServer(async (raw, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of raw) pieces.push(piece as Buffer);
    const target = raw.url ?? '/';
    const at = target.indexOf('?');
    const path = at === -1 ? target : target.slice(0, at);
    const { method = '', headers, rawHeaders } = raw;
    const query = new URLSearchParams(at === -1 ? '' : target.slice(at + 1));
    const request = { method, target, headers, rawHeaders, query, body: Buffer.concat(pieces) };
    requests.push(request);
    const how = answers.get(path);
    if (method === 'GET') (how?.get ?? confirm)(request, response);
    else (how?.post ?? status(204))(request, response);
  });
  const port = await listenOnFreshPort(server);
  const origin = `http://127.0.0.1:${port}`;
  const isAt = ({ target }: CallbackRequest, path: string) => target === path || target.startsWith(`${path}?`);
  return {
    origin,
    url: (path) => origin + path,
    requests,
    answer: (path, how) => void answers.set(path, { ...answers.get(path), ...how }),
    asked: (path, mode) =>
      requests.filter(
        (request) =>
          request.method === 'GET' &&
          isAt(request, path) &&
          (mode === undefined || request.query.get('hub.mode') === mode),
      ),
    delivered: (path) => requests.filter((request) => request.method === 'POST' && isAt(request, path)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
