import { formatTime } from '../codecs/primitives/time.ts';
import type { UsageSignal, Wishes } from '../codecs/usage-terms/usage.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { discoverSite } from '../follow/discover-site.ts';
import type { SiteOffer } from '../follow/site-offers.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import { type AskerWays, type HttpOptions, openPolite } from './open-http.ts';
import { publicPageUrl } from './public-page-url.ts';

export interface DiscoverOptions extends HttpOptions {
  readonly signal?: AbortSignal;
  /** One line about the current step, for a person. */
  readonly onStatus?: (line: string) => void;
}

/** What a site offers to readers of its changes. */
export interface DiscoverReport {
  readonly url: string;
  /** Feeds in order of preference, then sitemap, Markdown and pages. */
  readonly offers: readonly ReportedOffer[];
  /** What Tidings would follow, and why. Absent if nothing can be read now. */
  readonly choice?: { readonly dialect: string; readonly url: string; readonly reason: string };
  /** Each statement about what the pages may be used for. */
  readonly terms: readonly UsageSignal[];
  /** The result of these statements: a "no" wins. A use that is absent is mentioned by no statement. */
  readonly uses: Wishes;
}

export interface ReportedOffer extends Pick<SiteOffer, 'dialect' | 'url' | 'state' | 'reason' | 'coverage'> {
  /** When it last reported something. */
  readonly newest?: string;
}

/**
 * What a site offers: feeds, sitemaps, Markdown and pages, the state of each, the terms of use, and which one Tidings would follow. Throws if the site cannot
 * be read at all.
 *
 * @example
 * const { choice, uses } = await discover('https://docs.example/');
 * console.log(choice?.dialect, uses['ai-train']);
 */
export async function discover(url: string, options: DiscoverOptions = {}): Promise<DiscoverReport> {
  await using ways = await openPolite(options);
  return await discoverBy(ways, url, options);
}

/** Like {@link discover}, with an HTTP client that is already open. */
export async function discoverBy(
  { http, client, pages, usageOf }: AskerWays,
  url: string,
  { signal, onStatus }: Pick<DiscoverOptions, 'signal' | 'onStatus'>,
): Promise<DiscoverReport> {
  const { offers, ...found } = await discoverSite(publicPageUrl(url), {
    dialects: DIALECTS,
    http,
    client,
    pages,
    usageOf,
    gunzip,
    now: Date.now,
    signal: signal ?? new AbortController().signal,
    onStatus: (line) => onStatus?.(line),
  });
  return { ...found, offers: offers.map(reported) };
}

function reported({ newestMs, pages: _pages, isFollowed: _, ...offer }: SiteOffer): ReportedOffer {
  return { ...offer, ...(newestMs !== undefined && { newest: formatTime(newestMs) }) };
}
