/** What a link leads to when it ends like this is no page, whatever it is. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|tiff?|mp[34]|m4[av]|webm|og[gvam]|wav|flac|avi|mov|mkv|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|whl|gem|deb|rpm|apk|dmg|pkg|msi|exe|iso|bin|pdf|epub|mobi|docx?|xlsx?|pptx?|od[tsp]|csv|tsv|json|jsonl|ndjson|xml|rss|atom|ya?ml|toml|txt|md|mdx|rst|css|map|wasm|woff2?|ttf|otf|eot|ics|vcf|asc|sig|sha256|torrent)$/i;

const MAX_SEGMENTS = 20;
const MAX_REPEATS = 3;

/**
 * Whether a link may be followed: a page by its name, without a query, and on no path that seems to grow by itself, as
 * relative links do that are resolved against the wrong place (`/a/b/a/b/a/b/`).
 */
export function isWorthFollowing(address: string): boolean {
  const { pathname, search } = new URL(address);
  if (search !== '' || NO_PAGE.test(pathname)) return false;
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return Math.max(0, ...counts.values()) <= MAX_REPEATS;
}

/** The folder of `…/index.html`, which static hosts serve as the same page. */
export function folderOfIndex(address: string): string | undefined {
  const folder = address.replace(/\/index\.x?html?$/i, '/');
  return folder === address ? undefined : folder;
}
