import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import { documentUrl, pathsOf } from '../lists/paths.ts';
import type { ListPlan } from '../lists/plan-lists.ts';
import { SITEMAP_PATH } from '../lists/sitemap.ts';

interface SuggestionOptions {
  readonly site: URL;
  readonly sitemap?: boolean | undefined;
}

/** A site with more collections than these has an author who knows how to go on. */
const MAX_COLLECTIONS = 5;

/** What only the author of a site can write, each with where it goes. */
export function suggestionsOf({ lists }: ListPlan, { site, sitemap }: SuggestionOptions): readonly string[] {
  const paths = lists.slice(0, MAX_COLLECTIONS).map(({ collection }) => pathsOf(collection));
  const sitemaps = [...paths.map(({ resourceList }) => resourceList), ...(sitemap ? [SITEMAP_PATH] : [])];
  return [
    ...sitemaps.map((path) => `You may add to robots.txt: Sitemap: ${documentUrl(path, site)}`),
    ...paths.map(
      ({ capabilityList }) =>
        `You may send with its pages: Link: <${documentUrl(capabilityList, site)}>; rel="resourcesync"`,
    ),
  ];
}

/** Collections that are configured and that no page was ever in: a path may be misspelt. */
export function unusedCollections({ collections, lists }: ListPlan): readonly string[] {
  const used = new Set(lists.map(({ collection }) => collection.describes));
  return collections.parts
    .filter(({ describes }) => !used.has(describes))
    .map(({ describes }) => `No page is below ${describes}, so that collection is left out. Is its path right?`);
}

/** Shorter ones need no look: ours are http(s) addresses. */
const LONG = 2000;

/** Pages that no document can name: the protocol of sitemaps has a limit for addresses. */
export function unlistedPages(urls: Iterable<string>): readonly string[] {
  const unlisted = [...urls].filter((url) => url.length > LONG && !isLoc(url));
  if (unlisted.length === 0) return [];
  const [first = ''] = unlisted;
  const pages = unlisted.length === 1 ? '1 page is' : `${unlisted.length} pages are`;
  return [`${pages} in no ResourceSync list, because their addresses are too long: ${first.slice(0, 100)}…`];
}
