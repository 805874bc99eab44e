import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HarvestOptions, type HarvestReport, harvest } from '../../src/doors/harvest.ts';
import { listenOnFreshPort } from './fresh-port.ts';

const OPEN =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:xlink="http://www.w3.org/1999/xlink">';
const OPEN_INDEX = OPEN.replace('urlset', 'sitemapindex');

export interface SiteFile {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface AskedFor {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A site with ResourceSync on a real socket, and a harvester with its own folder and state. */
export interface HarvestLab extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly out: string;
  /** Oldest first. */
  readonly asked: AskedFor[];
  /** The answer of a path: a document, a file, or what the function does with the response. */
  put(path: string, file: string | SiteFile | ((response: ServerResponse) => void)): void;
  remove(path: string): void;
  /** A Source Description, and for each name a Capability List and a Change List with these entries. */
  publish(collections: Readonly<Record<string, readonly string[]>>): void;
  /** The paths requested since the last call. */
  paths(): string[];
  harvest(options?: Partial<HarvestOptions>): Promise<HarvestReport>;
}

export async function startHarvestLab(): Promise<HarvestLab> {
  const files = new Map<string, SiteFile | ((response: ServerResponse) => void)>();
  const asked: AskedFor[] = [];
  let told = 0;
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    asked.push({ path, headers });
    const file = files.get(path) ?? { status: 404, body: 'not here' };
    if (typeof file === 'function') return file(response);
    const etag = file.headers?.etag;
    const isKnown = etag !== undefined && headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : (file.status ?? 200), file.headers);
    response.end(isKnown ? undefined : file.body);
  });
  const port = await listenOnFreshPort(server);
  const origin = `http://127.0.0.1:${port}`;
  const out = await mkdtemp(join(tmpdir(), 'tidings-harvest-'));
  const lab: HarvestLab = {
    origin,
    out,
    asked,
    put: (path, file) => void files.set(path, typeof file === 'string' ? { body: file } : file),
    remove: (path) => void files.delete(path),
    publish(collections) {
      const names = Object.keys(collections);
      lab.put('/.well-known/resourcesync', sourceDescription(origin, names));
      for (const [name, changes] of Object.entries(collections)) {
        lab.put(`/${name}/capabilitylist.xml`, capabilityList(origin, name, [`${origin}/${name}/changelist.xml`]));
        lab.put(`/${name}/changelist.xml`, changeList(origin, name, changes));
      }
    },
    paths: () => {
      const paths = asked.slice(told).map(({ path }) => path);
      told = asked.length;
      return paths;
    },
    harvest: (options = {}) => harvest({ site: `${origin}/`, out, allowPrivate: true, timeoutMs: 5000, ...options }),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await rm(out, { recursive: true, force: true });
    },
  };
  return lab;
}

export function sourceDescription(origin: string, names: readonly string[], head = ''): string {
  const urls = names.map(
    (name) =>
      `<url><loc>${origin}/${name}/capabilitylist.xml</loc><rs:md capability="capabilitylist"/>` +
      `<rs:ln rel="describes" href="${origin}/${name}/"/></url>`,
  );
  return `${OPEN}${head}<rs:md capability="description"/>${urls.join('\n')}</urlset>`;
}

export function capabilityList(origin: string, name: string, lists: readonly string[], links = ''): string {
  const urls = lists.map((loc) => `<url><loc>${loc}</loc><rs:md capability="changelist"/></url>`);
  return (
    `${OPEN}<rs:ln rel="up" href="${origin}/.well-known/resourcesync"/>` +
    `<rs:ln rel="describes" href="${origin}/${name}/"/>${links}<rs:md capability="capabilitylist"/>${urls.join('')}</urlset>`
  );
}

export function changeList(origin: string, name: string, changes: readonly string[], until?: string): string {
  const end = until === undefined ? '' : ` until="${until}"`;
  return (
    `${OPEN}<rs:ln rel="up" href="${origin}/${name}/capabilitylist.xml"/>` +
    `<rs:md capability="changelist" from="2020-01-01T00:00:00Z"${end}/>${changes.join('\n')}</urlset>`
  );
}

export function change(loc: string, kind: string, datetime: string, inside = '', attributes = ''): string {
  return `<url><loc>${loc}</loc><rs:md change="${kind}" datetime="${datetime}"${attributes}/>${inside}</url>`;
}

export function index(
  capability: string,
  entries: readonly { readonly loc: string; readonly until?: string }[],
): string {
  const sitemaps = entries.map(({ loc, until }) => {
    const md = until === undefined ? '<rs:md from="2020-01-01"/>' : `<rs:md from="2020-01-01" until="${until}"/>`;
    return `<sitemap><loc>${loc}</loc>${md}</sitemap>`;
  });
  return `${OPEN_INDEX}<rs:md capability="${capability}"/>${sitemaps.join('')}</sitemapindex>`;
}
