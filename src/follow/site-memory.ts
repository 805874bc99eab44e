import type { SitePlace } from './site-place.ts';

/**
 * What a follower remembers of a site without a feed: where it is in the log of its own looks at it.
 *
 *     { "place": { "kind": "site", "url": "https://docs.example/" }, "cursor": "01K…" }
 */
export interface SiteMemory {
  readonly place: SitePlace;
  /** Behind what was handed on. Absent while nothing was found. */
  readonly cursor?: string;
  /** Until the first look was finished: pages that say that they are older are not told. */
  readonly sinceMs?: number;
}

/** Undefined for what this reader has not written. */
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
