import type { FoundBy } from '../model/page.ts';
import { Crawl } from './crawl.ts';
import type { CrawlPorts, CrawlRequest, CrawlResult } from './site-crawl.ts';
import { readGivenSitemap, readSitemapPages, type SitemapPages } from './site-map-pages.ts';

/**
 * Reads the pages of a live site: those in its sitemaps, otherwise those that links lead to, and every known page.
 *
 * One page after the other, at the pace of the client. Nothing is concluded from what could not be read.
 */
export async function crawlSite(request: CrawlRequest, ports: CrawlPorts): Promise<CrawlResult> {
  const { scope, known, foundBefore, sitemap } = request;
  const sitemaps =
    sitemap === undefined
      ? await readSitemapPages(scope, foundBefore, ports)
      : await readGivenSitemap(sitemap, scope, ports);
  const foundBy = wayOf(sitemaps, sitemap === undefined ? foundBefore : 'sitemaps');
  const crawl = new Crawl(request, ports, sitemaps, foundBy);
  if (foundBy === 'sitemaps') for (const address of sitemaps.pages.keys()) crawl.add({ address });
  if (foundBy === 'links') crawl.add({ address: scope.base.href });
  const absenceProves = foundBy === 'sitemaps' && sitemaps.isWhole;
  if (!absenceProves) crawl.addKnown();
  await crawl.run();

  // A page may be reachable only through a URL that failed this time.
  if (absenceProves && !crawl.isWhole) {
    crawl.addKnown();
    await crawl.run();
  }
  if (absenceProves && crawl.isWhole) {
    for (const address of known.keys()) crawl.miss(address);
  }
  return crawl.result();
}

/** If a sitemap failed, links would find pages that it does not list; they would look new. */
function wayOf({ pages, failures }: SitemapPages, foundBefore: FoundBy | undefined): FoundBy | undefined {
  if (pages.size > 0) return 'sitemaps';
  return failures.length === 0 || foundBefore === 'links' ? 'links' : undefined;
}
