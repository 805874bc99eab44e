import type { SiteScope } from './site-scope.ts';

/** A link with such an ending does not lead to a page. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|tiff?|mp[34]|m4[av]|webm|og[gvam]|wav|flac|avi|mov|mkv|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|whl|gem|deb|rpm|apk|dmg|pkg|msi|exe|iso|bin|pdf|epub|mobi|docx?|xlsx?|pptx?|od[tsp]|csv|tsv|json|jsonl|ndjson|xml|rss|atom|ya?ml|toml|txt|md|mdx|rst|css|map|wasm|woff2?|ttf|otf|eot|ics|vcf|asc|sig|sha256|torrent)$/i;

/** Parameters that tell a host where its visitor came from. The page is the same without them. */
const TRACKING =
  /^(?:utm_\w*|mtm_\w*|pk_(?:campaign|kwd|source|medium|content|cid)|gclid|gclsrc|dclid|gbraid|wbraid|srsltid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|mkt_tok|vero_id|_ga|_gl|_hsenc|_hsmi|hsctatracking|epik)(?:=|$)/i;

const MAX_PARTS = 20;
const MAX_REPEATS = 3;

export interface SortedLinks {
  /** Addresses of the site that are worth asking for. */
  readonly targets: ReadonlySet<string>;
  /** URLs that may be pages but are not requested, each with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** Decides which links of a page are followed. Links that leave the site, or whose name shows that they are not pages, are dropped. */
export function sortLinks(links: readonly string[], scope: SiteScope): SortedLinks {
  const targets = new Set<string>();
  const leftOut = new Map<string, string>();
  for (const link of links) {
    const address = scope.take(link);
    if (address === undefined || NO_PAGE.test(new URL(address).pathname)) continue;
    const target = withoutTracking(address);
    const trap = trapOf(new URL(target));
    if (trap === undefined) targets.add(target);
    else leftOut.set(target, `${trap}: such links are not followed.`);
  }
  return { targets, leftOut };
}

/** The folder of `…/index.html`, which static hosts serve as the same page. */
export function folderOfIndex(address: string): string | undefined {
  const folder = address.replace(/\/index\.x?html?$/i, '/');
  return folder === address ? undefined : folder;
}

function withoutTracking(address: string): string {
  const [path = '', ...query] = address.split('?');
  if (query.length === 0) return address;
  const parameters = query.join('?').split('&');
  const rest = parameters.filter((parameter) => parameter !== '' && !TRACKING.test(parameter));
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`;
}

/**
 * Queries lead to endless calendars and searches. So do paths that keep growing, as relative links do that are resolved against the wrong base
 * (`/a/b/a/b/a/b/`).
 */
function trapOf({ pathname, search }: URL): string | undefined {
  if (search !== '') return 'It has a query';
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length > MAX_PARTS) return `Its path has more than ${MAX_PARTS} parts`;
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return Math.max(0, ...counts.values()) > MAX_REPEATS ? 'Its path repeats itself' : undefined;
}
