import type { Validators } from '../fetch/response-headers.ts';
import type { FoundBy } from '../model/page.ts';
import type { LivePage, LivePages } from './live-page.ts';
import type { CrawlNote } from './site-map-pages.ts';
import type { SiteScope } from './site-scope.ts';
import type { SitemapPorts } from './sitemap-file.ts';

/** What is remembered of a page that was read before. */
export interface KnownPage {
  /** Empty when the page has to be read anew. */
  readonly validators: Validators;
  /** How many links lead from the base to it. */
  readonly clicks: number;
  /** Links on it that led to no page. Where the page did not change, they are tried again. */
  readonly deadLinks: readonly string[];
}

export interface CrawlRequest {
  readonly scope: SiteScope;
  /** By address. */
  readonly known: ReadonlyMap<string, KnownPage>;
  readonly foundBefore: FoundBy | undefined;
  /** Names the pages, alone. Absent: sitemaps are looked for, and links are followed where there are none. */
  readonly sitemap?: URL | undefined;
  /** So many pages are asked for, and no more. */
  readonly maxPages: number;
}

export interface FoundPage {
  readonly address: string;
  readonly page: LivePage;
  /** When the sitemap says it changed. */
  readonly claimedTime?: string;
  readonly foundBy: FoundBy | undefined;
  /** Where links are followed: its place so far. All its links are in it, because none is known to be alive yet. */
  readonly trail: PageTrail | undefined;
}

export interface CrawlProgress {
  readonly done: number;
  /** Addresses that are known of so far, done ones included. */
  readonly known: number;
}

export interface CrawlPorts extends SitemapPorts {
  readonly pages: LivePages;
  /** Called with each page as soon as it is read, and waited for, so that none has to be kept. What it throws ends the crawl. */
  readonly onPage: (found: FoundPage) => void | Promise<void>;
  readonly onProgress: (progress: CrawlProgress) => void;
}

/** Where a page of this run stands, for the next one. */
export interface PageTrail {
  readonly clicks: number;
  readonly deadLinks: readonly string[];
}

/** What a crawl found beside the pages that it handed over. All keys are addresses. */
export interface CrawlResult {
  /** Undefined when it could not be told how the site is to be found. */
  readonly foundBy: FoundBy | undefined;
  /** Known pages that are as they were: the origin said so. */
  readonly same: ReadonlySet<string>;
  /** Known pages that are no more: the origin said so, or sitemaps that were read completely do not list them. */
  readonly gone: ReadonlySet<string>;
  /** Those among them which the site still leads to, by a sitemap or a link. */
  readonly notFound: ReadonlySet<string>;
  /** Known pages that now lead to another page of the site for good, which was read or is as it was. */
  readonly moved: ReadonlyMap<string, string>;
  /** Where known pages lead for now, and nothing else does: a login, a notice. */
  readonly detours: ReadonlySet<string>;
  readonly trails: ReadonlyMap<string, PageTrail>;
  /** What could not be read: nothing may be concluded from it. */
  readonly failures: readonly CrawlNote[];
  /** What was read and is no page of the site. */
  readonly notes: readonly CrawlNote[];
}
