import type { Validators } from '../fetch/response-headers.ts';
import type { FoundBy } from '../model/page.ts';
import type { LivePage, LivePages } from './live-page.ts';
import type { CrawlNote } from './site-map-pages.ts';
import type { SiteScope } from './site-scope.ts';
import type { SitemapPorts } from './sitemap-file.ts';

/** What is stored about a page that was read before. */
export interface KnownPage {
  /** Empty if the page must be read again. */
  readonly validators: Validators;
  /** The number of links from the base to it. */
  readonly clicks: number;
  /** Links on it that led to no page. If the page did not change, they are tried again. */
  readonly deadLinks: readonly string[];
}

export interface CrawlRequest {
  readonly scope: SiteScope;
  /** By URL. */
  readonly known: ReadonlyMap<string, KnownPage>;
  readonly foundBefore: FoundBy | undefined;
  /** The only list of pages. Absent: sitemaps are looked for, and links are followed if there are none. */
  readonly sitemap?: URL | undefined;
  /** The maximum number of pages to request. */
  readonly maxPages: number;
}

export interface FoundPage {
  readonly address: string;
  readonly page: LivePage;
  /** The change time that the sitemap claims. */
  readonly claimedTime?: string;
  readonly foundBy: FoundBy | undefined;
  /** If links are followed: its trail so far, with all its links, because it is not yet known which of them are alive. */
  readonly trail: PageTrail | undefined;
}

export interface CrawlProgress {
  readonly done: number;
  /** URLs known so far, including finished ones. */
  readonly known: number;
}

export interface CrawlPorts extends SitemapPorts {
  readonly pages: LivePages;
  /** Called with each page as soon as it is read, and awaited, so that none has to be kept. An exception ends the crawl. */
  readonly onPage: (found: FoundPage) => void | Promise<void>;
  readonly onProgress: (progress: CrawlProgress) => void;
}

/** The position of a page in this run, for the next one. */
export interface PageTrail {
  readonly clicks: number;
  readonly deadLinks: readonly string[];
}

/** The result of a crawl, in addition to the pages that it handed over. All keys are URLs. */
export interface CrawlResult {
  /** Undefined if it could not be determined how to find the pages of the site. */
  readonly foundBy: FoundBy | undefined;
  /** Known pages that the origin says are unchanged. */
  readonly same: ReadonlySet<string>;
  /** Known pages that no longer exist: the origin said so, or completely read sitemaps do not list them. */
  readonly gone: ReadonlySet<string>;
  /** Those that the site still leads to, by a sitemap or a link. */
  readonly notFound: ReadonlySet<string>;
  /** Known pages that now permanently lead to another page of the site, which was read or is unchanged. */
  readonly moved: ReadonlyMap<string, string>;
  /** Targets that only temporary redirects of known pages lead to: a login, a notice. */
  readonly detours: ReadonlySet<string>;
  readonly trails: ReadonlyMap<string, PageTrail>;
  /** What could not be read: nothing may be concluded from it. */
  readonly failures: readonly CrawlNote[];
  /** What was read and is not a page of the site. */
  readonly notes: readonly CrawlNote[];
}
