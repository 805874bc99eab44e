import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, normalize } from 'node:path';
import { listenOnFreshPort } from './fresh-port.ts';

export interface StaticServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  /** The requested paths, oldest first. */
  readonly requests: string[];
}

const MEDIA_TYPES: Record<string, string> = { html: 'text/html; charset=utf-8', ndjson: 'application/x-ndjson' };

/** Serves a folder like a static host: index pages, strong ETags, conditional and range requests. */
export async function serveFolder(root: string): Promise<StaticServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(root, request, response);
  });
  const port = await listenOnFreshPort(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const bytes = readServed(root, new URL(request.url ?? '/', 'http://localhost').pathname);
  if (bytes === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n');
    return;
  }
  const etag = `"${createHash('sha256').update(bytes.body).digest('hex').slice(0, 16)}"`;
  const headers = { etag, 'content-type': bytes.mediaType, 'accept-ranges': 'bytes' };
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const start = Number(range?.[1] ?? 0);
  if (range === null) {
    response.writeHead(200, { ...headers, 'content-length': bytes.body.length }).end(bytes.body);
  } else if (start >= bytes.body.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.body.length}` }).end();
  } else {
    const contentRange = `bytes ${start}-${bytes.body.length - 1}/${bytes.body.length}`;
    response.writeHead(206, { ...headers, 'content-range': contentRange }).end(bytes.body.subarray(start));
  }
}

function readServed(root: string, pathname: string): { body: Buffer; mediaType: string } | undefined {
  try {
    let file = join(root, normalize(decodeURIComponent(pathname)));
    if (statSync(file).isDirectory()) file = join(file, 'index.html');
    const extension = file.slice(file.lastIndexOf('.') + 1);
    const mediaType = file.endsWith('ai-changefeed') ? 'application/json' : MEDIA_TYPES[extension];
    return { body: readFileSync(file), mediaType: mediaType ?? 'application/octet-stream' };
  } catch {
    return undefined;
  }
}
