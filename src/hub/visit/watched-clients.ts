import type { LivePages } from '../../crawl/live-page.ts';
import { HostPausedError, PageStatusError } from '../../errors/crawl-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { PoliteClient } from '../../fetch/polite-client.ts';

/** Clients that remember what went wrong while a site was read: the result of a crawl holds that only as text. */
export interface WatchedClients {
  readonly client: PoliteClient;
  readonly pages: LivePages;
  /** The first error of a page, else of a sitemap; for a host that asks for a pause, the answer that asked for it. */
  readonly error: TidingsError | undefined;
  hasFailed(address: string): boolean;
  /** Whether it was requested as a sitemap. */
  isSitemap(address: string): boolean;
  /** The sitemaps that robots.txt names. */
  readonly namedSitemaps: readonly string[];
}

const BUSY = 429;

/** Passes every request on unchanged, and remembers what failed. */
export function createWatchedClients(ports: Pick<WatchedClients, 'client' | 'pages'>): WatchedClients {
  const failed = new Set<string>();
  const sitemaps = new Set<string>();
  let named: readonly string[] = [];
  let ofPages: TidingsError | undefined;
  let ofSitemaps: TidingsError | undefined;
  return {
    client: {
      async get(request) {
        sitemaps.add(request.url.href);
        try {
          const response = await ports.client.get(request);
          const { status, url } = response;
          if (status >= 500 || status === BUSY) ofSitemaps ??= new PageStatusError(url, status);
          return response;
        } catch (error) {
          if (error instanceof TidingsError) ofSitemaps ??= error;
          throw error;
        }
      },
      async sitemapsOf(origin) {
        const urls = await ports.client.sitemapsOf(origin);
        named = urls.map(({ href }) => href);
        return urls;
      },
    },
    pages: {
      async read(request) {
        try {
          return await ports.pages.read(request);
        } catch (error) {
          if (error instanceof TidingsError) ofPages ??= error;
          failed.add(request.url.href);
          throw error;
        }
      },
    },
    get error() {
      return ofPages instanceof HostPausedError ? (ofSitemaps ?? ofPages) : (ofPages ?? ofSitemaps);
    },
    hasFailed: (address) => failed.has(address),
    isSitemap: (address) => sitemaps.has(address),
    get namedSitemaps() {
      return named;
    },
  };
}
