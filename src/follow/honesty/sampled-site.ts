import type { LivePages } from '../../crawl/live-page.ts';
import { readSiteLinks } from '../../crawl/site-links.ts';
import { readSitemapPages } from '../../crawl/site-map-pages.ts';
import { createSiteScope } from '../../crawl/site-scope.ts';
import { FetchError } from '../../errors/fetch-error.ts';
import type { PoliteClient } from '../../fetch/polite-client.ts';
import { pageKey } from './compare-sample.ts';

export interface SitePorts {
  readonly client: PoliteClient;
  readonly pages: LivePages;
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
}

const MAX_WAIT_MS = 30_000;
/** The maximum number of pages to choose from. */
const MAX_CANDIDATES = 50_000;

/**
 * The pages from which a sample is taken: those that the feed has reported and those that the site lists, whether the feed reports them or not. If it
 * lists none, those that its start page links to.
 */
export async function sampledSite(site: URL, told: Iterable<string>, ports: SitePorts): Promise<readonly string[]> {
  const found = new Map<string, string>();
  const add = (url: string) => {
    if (found.size < MAX_CANDIDATES && !found.has(pageKey(url))) found.set(pageKey(url), url);
  };
  for (const url of await listed(site, ports)) add(url);
  for (const url of told) add(url);
  return [...found.values()];
}

async function listed(site: URL, ports: SitePorts): Promise<readonly string[]> {
  const scope = createSiteScope(new URL('/', site), new URL('/', site));
  try {
    const { pages } = await readSitemapPages(scope, undefined, { ...ports, maxWaitMs: MAX_WAIT_MS });
    if (pages.size > 0) return [...pages.keys()];
    const start = await ports.pages.read({ url: scope.base, signal: ports.signal, maxWaitMs: MAX_WAIT_MS });
    if (start.kind !== 'page') return [];
    const linked = readSiteLinks(start).links.flatMap((link) => scope.take(link) ?? []);
    return [start.url.href, ...linked];
  } catch (error) {
    ports.signal.throwIfAborted();
    if (error instanceof FetchError) return [];
    throw error;
  }
}
