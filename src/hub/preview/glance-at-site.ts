import { createLivePages, type LivePage, type LivePages } from '../../crawl/live-page.ts';
import { readSiteLinks } from '../../crawl/site-links.ts';
import { createSiteScope } from '../../crawl/site-scope.ts';
import { AddressRefusedError } from '../../errors/fetch-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { frugalClient } from '../../fetch/frugal-client.ts';
import type { PoliteClient } from '../../fetch/polite-client.ts';
import { Spending, type SpentAnswer } from '../../fetch/spending.ts';
import { type DiscoverPorts, type Discovery, discoverSite } from '../../follow/discover-site.ts';

/** The result of one short look at a site. Independent of rules. */
export interface SiteGlance {
  readonly url: string;
  readonly readAtMs: number;
  /** Absent where nothing of the site could be read. Offers are without the pages that they name. */
  readonly discovery?: Omit<Discovery, 'url'>;
  /** How many pages the sitemaps name. */
  readonly listed: number;
  /** Why not. */
  readonly failure?: GlanceFailure;
  /** Whether robots.txt lets its pages be read. */
  readonly isAllowed: boolean;
  readonly pages: readonly GlancedPage[];
  /** Pages that the first one links to, if there is no sitemap. */
  readonly links: number;
  /** Some sitemaps were left out. */
  readonly isPart: boolean;
  readonly sitemaps: { readonly files: number; readonly bytes: number };
  readonly requests: number;
  readonly bytes: number;
  readonly answers: ReadonlyMap<string, SpentAnswer>;
}

export interface GlanceFailure {
  readonly code: string;
  readonly message: string;
}

export type GlancedPage =
  | LivePage
  | { readonly kind: 'failed'; readonly url: URL; readonly failure: GlanceFailure }
  /** Too long for a preview; its text is not kept. */
  | (Pick<LivePage, 'url' | 'headers' | 'bytesLength'> & { readonly kind: 'large' });

export interface GlancePorts extends Omit<DiscoverPorts, 'pages' | 'onStatus'> {
  /** Whether robots.txt lets us ask for a page. */
  readonly mayFetch: (url: URL) => Promise<boolean>;
  /** Only the page itself is wanted, and none beside it. */
  readonly isOnePage: boolean;
}

const LIMITS = { requests: 60, bytes: 24 * 1024 * 1024, answerBytes: 8 * 1024 * 1024 };
/** Sitemaps, and the places where Markdown may be: each is waited for. */
const MAX_POLITE = 6;
const MAX_PAGES = 3;
const MAX_WAIT_MS = 15_000;
const MAX_TEXT = 1_000_000;

/** Throws an {@link AddressRefusedError} if the site is not on the public web; anything else that could not be read is part of the result. */
export async function glanceAtSite(url: URL, ports: GlancePorts): Promise<SiteGlance> {
  const glancer = new Glancer(url, ports);
  const isAllowed = await ports.mayFetch(url);
  const found = await glancer.discover();
  const discovery = 'code' in found ? undefined : found;
  const { pages, links } = await glancer.readPages(discovery);
  const { spending, sitemaps, isPart } = glancer;
  return {
    url: url.href,
    readAtMs: ports.now(),
    ...('code' in found ? { failure: found } : { discovery: withoutPages(found) }),
    listed: discovery?.offers.find(({ dialect }) => dialect === 'sitemap')?.pages?.length ?? 0,
    isAllowed,
    pages: pages.map(kept),
    links,
    isPart,
    sitemaps,
    requests: spending.requests,
    bytes: spending.bytes,
    answers: spending.answers,
  };
}

/** The result for a site that did not answer in time. */
export function nothingSeen(url: URL, readAtMs: number): SiteGlance {
  const spent = { requests: 0, bytes: 0, sitemaps: { files: 0, bytes: 0 }, answers: new Map() };
  const nothing = { listed: 0, pages: [], links: 0, isAllowed: true, isPart: true };
  return { url: url.href, readAtMs, failure: TOO_SLOW, ...nothing, ...spent };
}

class Glancer {
  readonly spending = new Spending(LIMITS);
  sitemaps = { files: 0, bytes: 0 };
  isPart = false;
  readonly #url: URL;
  readonly #ports: GlancePorts;
  readonly #pages: LivePages;
  /** As discovery has read it. */
  #start: LivePage | undefined;

  constructor(url: URL, ports: GlancePorts) {
    this.#url = url;
    this.#ports = ports;
    this.#pages = createLivePages({ client: this.spending.client(ports.client), now: ports.now });
  }

  async discover(): Promise<Omit<Discovery, 'url'> | GlanceFailure> {
    const { spending } = this;
    // Requests before the first page are for sitemaps.
    let isBefore = true;
    const asked = new Set<string>();
    const counted = spending.client(this.#ports.client);
    const noting: PoliteClient = {
      ...counted,
      get: async (request) => {
        if (isBefore) asked.add(request.url.href);
        return await counted.get(request);
      },
    };
    const client = frugalClient(noting, {
      most: MAX_POLITE,
      onSpared: () => {
        this.isPart ||= isBefore;
      },
    });
    const pages: LivePages = {
      read: async (request) => {
        if (isBefore) this.sitemaps = sumOf([...asked].flatMap((address) => spending.answers.get(address) ?? []));
        isBefore = false;
        const answer = await this.#pages.read(request);
        if (answer.kind === 'page') this.#start ??= answer;
        return answer;
      },
    };
    const http = spending.http(this.#ports.http);
    try {
      const { url: _, ...found } = await discoverSite(this.#url, { ...this.#ports, http, client, pages, onStatus });
      return found;
    } catch (error) {
      return this.#failureOf(error);
    }
  }

  /** The first page, and two more that the site itself names. */
  async readPages(discovery: Pick<Discovery, 'offers'> | undefined) {
    const scope = createSiteScope(this.#url, this.#url);
    const listed = discovery?.offers.flatMap((offer) => offer.pages?.slice(0, MAX_LISTED) ?? []) ?? [];
    const start = this.#start;
    const linked = start === undefined ? [] : readSiteLinks(start).links;
    const within = (addresses: readonly string[]) => [...new Set(addresses.flatMap((one) => scope.take(one) ?? []))];
    const own = new Set([this.#url.href, start?.url.href]);
    const others = within([...listed, ...linked]).filter((address) => !own.has(address));
    const pages: GlancedPage[] = start === undefined ? [] : [start];
    for (const address of this.#ports.isOnePage || discovery === undefined ? [] : others) {
      if (pages.length >= MAX_PAGES || this.#ports.signal.aborted) break;
      pages.push(await this.#readPage(new URL(address)));
    }
    return { pages, links: within(linked).filter((address) => !own.has(address)).length };
  }

  async #readPage(url: URL): Promise<GlancedPage> {
    try {
      const answer = await this.#pages.read({ url, signal: this.#ports.signal, maxWaitMs: MAX_WAIT_MS });
      if (answer.kind === 'page') return answer;
      throw new Error('Nothing was asked for on a condition.');
    } catch (error) {
      return { kind: 'failed', url, failure: this.#failureOf(error) };
    }
  }

  #failureOf(error: unknown): GlanceFailure {
    if (this.#ports.signal.aborted) return TOO_SLOW;
    if (!(error instanceof TidingsError) || (error instanceof AddressRefusedError && error.url.host === this.#url.host))
      throw error;
    return { code: error.name, message: error.message };
  }
}

/** A sitemap may name a million of them. */
function withoutPages<D extends Pick<Discovery, 'offers'>>(discovery: D): D {
  return { ...discovery, offers: discovery.offers.map(({ pages: _, ...offer }) => offer) };
}

function kept(page: GlancedPage): GlancedPage {
  if (page.kind !== 'page' || page.text.length <= MAX_TEXT) return page;
  const { url, headers, bytesLength } = page;
  return { kind: 'large', url, headers, bytesLength };
}

function sumOf(files: readonly SpentAnswer[]): SiteGlance['sitemaps'] {
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Per way to learn of changes. */
const MAX_LISTED = 20;
const TOO_SLOW: GlanceFailure = {
  code: 'DeadlineError',
  message: 'The site was not read in the time that a preview has. Added, it is read without hurry.',
};

function onStatus(): void {}
