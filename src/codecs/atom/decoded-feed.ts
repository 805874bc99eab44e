/** One form for feeds of all kinds: their contents in their order, without markup. */

export type FeedFormat = 'atom' | 'rss' | 'json-feed';

export interface DecodedWebFeed {
  readonly format: FeedFormat;
  readonly id?: string;
  readonly title?: string;
  /** The page for people. */
  readonly url?: string;
  readonly updatedMs?: number;
  /** How many minutes it may be cached before the next request (`ttl` of RSS 2.0). */
  readonly ttlMinutes?: number;
  readonly selfUrl?: string;
  /** WebSub hubs. */
  readonly hubUrls: readonly string[];
  /** The next page of a paged feed (RFC 5005, 3; `next_url` of JSON Feed). */
  readonly nextUrl?: string;
  readonly prevArchiveUrl?: string;
  readonly nextArchiveUrl?: string;
  readonly currentUrl?: string;
  readonly isArchive: boolean;
  /** Whether it declares itself complete: items that are not in it no longer exist (RFC 5005, 2). */
  readonly isComplete: boolean;
  readonly items: readonly WebFeedItem[];
  /** Faults that did not stop the reading, at most 100. */
  readonly problems: readonly string[];
}

/** Texts have no markup. URLs are absolute, http or https. Times are as the feed claims. */
export interface WebFeedItem {
  /** The id in the feed, else the URL, else one derived from the other fields. Two items with the same id are versions of one item. */
  readonly id: string;
  /** Whether the feed gave no id, so that the id changes when the fields it is derived from change. */
  readonly isIdMade: boolean;
  readonly url?: string;
  readonly title?: string;
  readonly publishedMs?: number;
  readonly updatedMs?: number;
  readonly summary?: string;
  readonly content?: string;
  readonly author?: string;
  readonly categories: readonly string[];
  /** Ids of the hubs that it came through, with blanks between them. */
  readonly via?: string;
}

export interface DecodeFeedOptions {
  /** The address of the feed, to resolve relative links. */
  readonly url?: string;
}

export const WEB_FEED_LIMITS = {
  /** In UTF-16 units. */
  maxCharacters: 16 * 1024 * 1024,
  maxItems: 10_000,
  /** The depth of elements, including XHTML in entries. */
  maxDepth: 100,
  maxElements: 500_000,
  maxAttributes: 64,
  maxProblems: 100,
  /** The length of ids; a longer id is replaced by its hash. */
  maxIdLength: 2048,
  maxCategories: 100,
} as const;

export const FEED_CLAUSE = 'FEED-FORM';
