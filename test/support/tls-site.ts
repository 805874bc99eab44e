import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenOnFreshPort } from './fresh-port.ts';

export interface SitePage {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface AskedRequest {
  /** `https://host:port/path` or `http://…`, as the request named it. */
  readonly url: string;
  /** Without its port. */
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly userAgent: string | undefined;
}

export interface TlsSite extends AsyncDisposable {
  readonly port: number;
  /** In the order of arrival. */
  readonly asked: AskedRequest[];
  /** The answer of a URL, or 304 if the request has its `etag`. The port is that of the site. Anything else is a 404. */
  put(host: string, path: string, page: SitePage): void;
  redirect(host: string, path: string, to: string, status?: number): void;
}

/** One real web server for many names, distinguished by the Host header. Without `tls` it uses plain http. */
export async function startTlsSite(tls?: { readonly key: string; readonly cert: string }): Promise<TlsSite> {
  const pages = new Map<string, SitePage>();
  const asked: AskedRequest[] = [];
  const scheme = tls === undefined ? 'http' : 'https';
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { headers, url: path = '' } = request;
    const named = headers.host ?? '';
    const host = named.replace(/:\d+$/, '');
    asked.push({ url: `${scheme}://${named}${path}`, host, path, headers, userAgent: headers['user-agent'] });
    const page = pages.get(`${host}${path}`) ?? { status: 404, body: 'not here' };
    const { etag } = page.headers ?? {};
    const isKnown = etag !== undefined && headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : (page.status ?? 200), { 'content-type': 'text/plain', ...page.headers });
    response.end(isKnown ? undefined : (page.body ?? ''));
  };
  const server = tls === undefined ? createPlainServer(answer) : createTlsServer(tls, answer);
  const port = await listenOnFreshPort(server);
  return {
    port,
    asked,
    put: (host, path, page) => void pages.set(`${host}${path}`, page),
    redirect: (host, path, to, status = 302) =>
      void pages.set(`${host}${path}`, { status, headers: { location: to }, body: 'moved' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
