import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listenOnFreshPort } from './fresh-port.ts';
import { htmlPage } from './site.ts';

/** What a path serves: a body, a whole answer, or a function that answers. */
export type Served =
  | string
  | Uint8Array
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | ((response: ServerResponse) => void);

export interface LiveSite extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  /** By path with its query. Anything else is 404. */
  readonly served: Map<string, Served>;
  put(pages: Readonly<Record<string, Served>>): void;
  remove(...paths: readonly string[]): void;
  /** `200 /a`, oldest first, since the last call. */
  takeRequests(): string[];
}

/** A site that can be edited while it is live. Bodies have a strong ETag, and are HTML unless the path says otherwise. */
export async function startLiveSite(pages: Readonly<Record<string, Served>> = {}): Promise<LiveSite> {
  const served = new Map<string, Served>(Object.entries(pages));
  let requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    response.on('close', () => requests.push(`${response.headersSent ? response.statusCode : 'none'} ${path}`));
    answer(served.get(path), path, request.headers['if-none-match'], response);
  });
  const port = await listenOnFreshPort(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    served,
    put(more) {
      for (const [path, content] of Object.entries(more)) served.set(path, content);
    },
    remove(...paths) {
      for (const path of paths) served.delete(path);
    },
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(content: Served | undefined, path: string, known: string | undefined, response: ServerResponse): void {
  if (typeof content === 'function') {
    content(response);
  } else if (content === undefined) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  } else if (typeof content === 'string' || content instanceof Uint8Array) {
    const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`;
    const headers = { etag, 'content-type': mediaTypeOf(path) };
    if (known === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(content);
  } else {
    response.writeHead(content.status, { 'content-type': 'text/html', ...content.headers }).end(content.body ?? '');
  }
}

function mediaTypeOf(path: string): string {
  if (path.endsWith('.xml')) return 'application/xml';
  if (path.endsWith('.gz')) return 'application/gzip';
  return path.endsWith('.txt') ? 'text/plain' : 'text/html; charset=utf-8';
}

export function sitemapOf(base: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${new URL(path, base).href}</loc></url>`);
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
}

/** A page of three parts. */
export const pageOf = (title: string, text = 'It says this.') =>
  htmlPage(title, [
    { id: 'one', heading: 'One', text },
    { id: 'two', heading: 'Two', text: `The second part of ${title} stays.` },
    { id: 'three', heading: 'Three', text: `The third part of ${title} stays.` },
  ]);

/** The same with links at its end. */
export const linking = (title: string, ...hrefs: readonly string[]) =>
  pageOf(title).replace('</main>', `${hrefs.map((href) => `<a href="${href}">to ${href}</a>`).join(' ')}</main>`);
