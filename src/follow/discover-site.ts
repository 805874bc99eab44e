import { formatTime } from '../codecs/primitives/time.ts';
import type { UsageSignal, Wishes } from '../codecs/usage-terms/usage.ts';
import type { LivePage } from '../crawl/live-page.ts';
import { readUsageTerms, type TermsPorts } from '../crawl/usage-terms.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { pageKey } from './honesty/compare-sample.ts';
import { markdownOffer } from './markdown-offer.ts';
import { feedOffers, type OfferPorts, type SiteOffer, sitemapOffer } from './site-offers.ts';

/** The ways in which a site reports its changes, and which one Tidings would use. */
export interface Discovery {
  readonly url: string;
  /** Feeds in order of preference, then its sitemap, Markdown and pages. */
  readonly offers: readonly SiteOffer[];
  /** Absent if nothing can be read now. */
  readonly choice?: Pick<SiteOffer, 'dialect' | 'url' | 'reason'>;
  /** What is said about the use of its pages. */
  readonly terms: readonly UsageSignal[];
  /** The resulting terms. An absent use is not restricted. */
  readonly uses: Wishes;
}

export interface DiscoverPorts extends OfferPorts, Pick<TermsPorts, 'usageOf'> {
  /** Called with what is being looked for. */
  readonly onStatus: (line: string) => void;
}

/** How far a feed may be behind the sitemap: some feeds are written once a week. */
const BEHIND_MS = 8 * 24 * 60 * 60 * 1000;
const MAX_WAIT_MS = 15_000;

/** If nothing can be read, throws why. */
export async function discoverSite(url: URL, ports: DiscoverPorts): Promise<Discovery> {
  const feeds: SiteOffer[] = [];
  ports.onStatus(`${url.href}: looking for feeds`);
  for await (const offer of feedOffers(url, ports)) feeds.push(offer);
  ports.onStatus(`${url.href}: looking for sitemaps and pages`);
  const sitemap = await sitemapOffer(url, ports);
  const page = await readStart(url, ports);
  const own = page instanceof TidingsError ? [broken(url, page)] : [...(await pageOffers(page, sitemap, ports))];
  const offers = [
    ...feeds.map((feed) => covering(besideSitemap(feed, sitemap), sitemap)),
    ...(sitemap === undefined ? [] : [sitemap]),
    ...own,
  ];
  if (page instanceof TidingsError && offers.every(({ state }) => state === 'broken')) throw page;
  const { signals, uses } =
    page instanceof TidingsError ? { signals: [], uses: {} } : await readUsageTerms(page, ports);
  const choice = chosenOf(offers);
  return { url: url.href, offers, ...(choice !== undefined && { choice }), terms: signals, uses };
}

async function readStart(url: URL, { pages, signal }: DiscoverPorts): Promise<LivePage | TidingsError> {
  try {
    const answer = await pages.read({ url, signal, maxWaitMs: MAX_WAIT_MS });
    if (answer.kind === 'page') return answer;
    throw new Error('Nothing was asked for on a condition.');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TidingsError) return error;
    throw error;
  }
}

async function pageOffers(
  page: LivePage,
  sitemap: SiteOffer | undefined,
  ports: DiscoverPorts,
): Promise<readonly SiteOffer[]> {
  const other = sitemap?.pages?.find((listed) => pageKey(listed) !== pageKey(page.url.href));
  const markdown = await markdownOffer(page, other, ports);
  const reason = 'its pages can be read and compared';
  const pages: SiteOffer = { dialect: 'pages', url: page.url.href, state: 'ok', reason, isFollowed: true };
  return markdown === undefined ? [pages] : [markdown, pages];
}

function broken(url: URL, { message: reason }: TidingsError): SiteOffer {
  return { dialect: 'pages', url: url.href, state: 'broken', reason, isFollowed: true };
}

/** A feed that is silent while the sitemap shows edits is abandoned. */
function besideSitemap(feed: SiteOffer, sitemap: SiteOffer | undefined): SiteOffer {
  const [told, listed] = [feed.newestMs, sitemap?.newestMs];
  if (feed.state !== 'ok' || told === undefined || listed === undefined || listed - told < BEHIND_MS) return feed;
  const reason = `${feed.reason}; it told of something last at ${formatTime(told)}, while the sitemap has pages of ${formatTime(listed)}`;
  return { ...feed, state: 'stale', reason };
}

/** How much of the sitemap a feed names. A news feed names few pages and need not name more. */
function covering(feed: SiteOffer, sitemap: SiteOffer | undefined): SiteOffer {
  const listed = new Set(sitemap?.pages?.map(pageKey));
  if (feed.pages === undefined || listed.size === 0) return feed;
  const named = new Set(feed.pages.map(pageKey));
  const both = [...listed].filter((page) => named.has(page)).length;
  const reason = `${feed.reason}; it names ${both} of ${listed.size} pages of the sitemap`;
  return { ...feed, reason, coverage: Math.round((both / listed.size) * 1000) / 1000 };
}

/** The first healthy offer, otherwise the first that only lags: a silent feed is not wrong. */
function chosenOf(offers: readonly SiteOffer[]): Discovery['choice'] {
  const followed = offers.filter(({ isFollowed = false }) => isFollowed);
  const chosen = followed.find(({ state }) => state === 'ok') ?? followed.find(({ state }) => state === 'stale');
  if (chosen === undefined) return undefined;
  const { dialect, url } = chosen;
  const passed = followed.slice(0, followed.indexOf(chosen));
  const instead = passed.map((offer) => `${offer.dialect} is ${offer.state}`).join(', ');
  const reason = instead === '' ? `${chosen.reason}: it comes first of what there is` : `${chosen.reason}: ${instead}`;
  return { dialect, url, reason };
}
