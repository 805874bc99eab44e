import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import { documentUrl, pathsOf } from '../lists/paths.ts';
import type { ListPlan } from '../lists/plan-lists.ts';
import { SITEMAP_PATH } from '../lists/sitemap.ts';

interface SuggestionOptions {
  readonly site: URL;
  readonly sitemap?: boolean | undefined;
}

/** The author of a site with more collections needs no suggestions for the others. */
const MAX_COLLECTIONS = 5;

/** Lines that only the author of a site can add, and where to add them. */
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

/** Configured collections that never had a page: a path may be misspelt. */
export function unusedCollections({ collections, lists }: ListPlan): readonly string[] {
  const used = new Set(lists.map(({ collection }) => collection.describes));
  return collections.parts
    .filter(({ describes }) => !used.has(describes))
    .map(({ describes }) => `No page is below ${describes}, so that collection is left out. Is its path right?`);
}

/** Shorter addresses need no check, because ours are http(s) addresses. */
const LONG = 2000;

/** Pages that no document can list, because sitemaps limit the length of addresses. */
export function unlistedPages(urls: Iterable<string>): readonly string[] {
  const unlisted = [...urls].filter((url) => url.length > LONG && !isLoc(url));
  if (unlisted.length === 0) return [];
  const [first = ''] = unlisted;
  const pages = unlisted.length === 1 ? '1 page is' : `${unlisted.length} pages are`;
  return [`${pages} in no ResourceSync list, because their addresses are too long: ${first.slice(0, 100)}…`];
}
