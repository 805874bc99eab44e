import type { SitePlace } from './site-place.ts';

/**
 * What a follower stores about a site without a feed: its position in the log of its looks at the site.
 *
 *     { "place": { "kind": "site", "url": "https://docs.example/" }, "cursor": "01K…" }
 */
export interface SiteMemory {
  readonly place: SitePlace;
  /** After what was delivered. Absent if nothing was found yet. */
  readonly cursor?: string;
  /** Until the first look is finished: pages that say they are older are not reported. */
  readonly sinceMs?: number;
}

/** Undefined for a value that this reader did not write. */
export function decodeSiteMemory(value: unknown): SiteMemory | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { place, cursor, sinceMs } = value as Readonly<Record<string, unknown>>;
  if (!isPlace(place)) return undefined;
  return {
    place,
    ...(typeof cursor === 'string' && { cursor }),
    ...(typeof sinceMs === 'number' && { sinceMs }),
  };
}

function isPlace(value: unknown): value is SitePlace {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, url, sitemap } = value as Readonly<Record<string, unknown>>;
  if ((kind !== 'site' && kind !== 'page') || typeof url !== 'string') return false;
  return sitemap === undefined || typeof sitemap === 'string';
}
