import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { join, normalize } from 'node:path';
import tls from 'node:tls';
import { listenOnFreshPort } from '../support/fresh-port.ts';
import { createTestAuthority } from '../support/test-ca.ts';

/** A folder as `https://localhost/`, without a port in its address: what is derived from the address is the same in every run. */
export interface SteadyNet extends AsyncDisposable {
  readonly url: string;
  /** Of the authority whose certificate it shows, in PEM. */
  readonly ca: string;
}

const HTTPS_PORT = 443;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  atom: 'application/atom+xml',
  xml: 'application/xml',
};

/** Serves the folder on any free port of loopback, and leads there who connects to port 443 of localhost in this process. */
export async function openSteadyNet(folder: string): Promise<SteadyNet> {
  const authority = createTestAuthority();
  const server = createServer(authority.issue('localhost'), (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://localhost/');
    const body = readServed(join(folder, normalize(decodeURIComponent(pathname))));
    if (body === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n');
      return;
    }
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    const extension = pathname.slice(pathname.lastIndexOf('.') + 1);
    const headers = { etag, 'content-type': MEDIA_TYPES[extension] ?? 'application/octet-stream' };
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(body);
  });
  const port = await listenOnFreshPort(server);
  const { connect } = tls;
  const connectHere = (options: tls.ConnectionOptions, ...rest: []) => {
    const isOurs = options.host === 'localhost' && Number(options.port) === HTTPS_PORT;
    return connect(isOurs ? { ...options, host: '127.0.0.1', port } : options, ...rest);
  };
  patchConnect(connectHere);
  return {
    url: 'https://localhost/',
    ca: authority.cert,
    async [Symbol.asyncDispose]() {
      patchConnect(connect);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function patchConnect(connect: unknown): void {
  Object.assign(tls, { connect });
  syncBuiltinESMExports();
}

function readServed(file: string): Buffer | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? readServed(join(file, 'index.html')) : readFileSync(file);
}
