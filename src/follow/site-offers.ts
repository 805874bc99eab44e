import { parseTime } from '../codecs/primitives/time.ts';
import type { LivePages } from '../crawl/live-page.ts';
import { readSitemapPages } from '../crawl/site-map-pages.ts';
import { createSiteScope } from '../crawl/site-scope.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { OfferFacts, ReaderPorts } from '../dialects/reader.ts';
import { inMemoryStorage } from '../dialects/storage.ts';
import { FeedUnreadableError } from '../errors/feed-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import type { PoliteClient } from '../fetch/polite-client.ts';
import { MemoryFollowState } from './memory-follow-state.ts';
import { rememberedIn } from './remembered.ts';

/** One way to learn of the changes of a site. */
export interface SiteOffer {
  /** A dialect of the registry, or `sitemap`, `markdown` or `pages`. */
  readonly dialect: string;
  readonly url: string;
  readonly state: 'ok' | 'stale' | 'broken';
  /** In words: what it is, or what is wrong with it. */
  readonly reason: string;
  /** The time of its newest report. */
  readonly newestMs?: number;
  /** The pages that it names, if known. */
  readonly pages?: readonly string[];
  /** The share of the pages in the sitemap that it names, 0 to 1. */
  readonly coverage?: number;
  /** It reports changes. The others can only be read. */
  readonly isFollowed?: true;
}

export interface OfferPorts {
  readonly dialects: readonly Dialect[];
  /** For protocol documents. */
  readonly http: HttpClient;
  /** For pages and sitemaps. */
  readonly client: PoliteClient;
  readonly pages: LivePages;
  readonly gunzip: ReaderPorts['gunzip'];
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const MAX_WAIT_MS = 15_000;

/** What a site offers in the dialects of the registry, in their order. They are tried one after another, to spare the site. */
export async function* feedOffers(url: URL, ports: OfferPorts): AsyncGenerator<SiteOffer> {
  const { http, gunzip, now, signal } = ports;
  for (const { name: dialect, reader, sighting } of ports.dialects) {
    const memory = { remembered: rememberedIn(new MemoryFollowState(), { dialect }), storage: inMemoryStorage() };
    const facts = async (): Promise<OfferFacts | undefined> => {
      if (reader === undefined) return await (await sighting?.())?.(url, { http, signal });
      const question = { url, isNamed: false };
      const found = await (await reader()).discover(question, {
        http,
        gunzip,
        now,
        signal,
        ...memory,
        report: () => {},
      });
      return 'nothing' in found ? undefined : await found.describe();
    };
    const offer = await offerOf({ dialect, url: url.href }, facts, signal);
    if (offer !== undefined) yield { ...offer, ...(reader !== undefined && { isFollowed: true }) };
  }
}

/** What its sitemaps list. */
export async function sitemapOffer(url: URL, ports: OfferPorts): Promise<SiteOffer | undefined> {
  const { client, gunzip, signal } = ports;
  const scope = createSiteScope(url, url);
  const facts = async (): Promise<OfferFacts | undefined> => {
    const { pages, failures } = await readSitemapPages(scope, undefined, {
      client,
      gunzip,
      signal,
      maxWaitMs: MAX_WAIT_MS,
    });
    const [failure] = failures;
    if (pages.size === 0 && failure !== undefined) throw new FeedUnreadableError(failure.url, failure.message);
    if (pages.size === 0) return undefined;
    const times = Array.from(pages.values(), (time = '') => parseTime(time) ?? 0);
    const newestMs = times.reduce((newest, time) => Math.max(newest, time), 0);
    const words = `a sitemap of ${pages.size} ${pages.size === 1 ? 'page' : 'pages'}`;
    return { url: url.href, words, pages: [...pages.keys()], ...(newestMs > 0 && { newestMs }) };
  };
  const offer = await offerOf({ dialect: 'sitemap', url: url.href }, facts, signal);
  return offer === undefined ? undefined : { ...offer, isFollowed: true };
}

/** Undefined if nothing exists; something that exists but fails is broken. */
export async function offerOf(
  place: Pick<SiteOffer, 'dialect' | 'url'>,
  facts: () => Promise<OfferFacts | undefined>,
  signal: AbortSignal,
): Promise<SiteOffer | undefined> {
  try {
    const found = await facts();
    if (found === undefined) return undefined;
    const { url, words: reason, newestMs, pages } = found;
    return {
      dialect: place.dialect,
      url,
      state: 'ok',
      reason,
      ...(newestMs !== undefined && { newestMs }),
      ...(pages !== undefined && { pages }),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TidingsError)) throw error;
    return { ...place, state: 'broken', reason: error.message };
  }
}
