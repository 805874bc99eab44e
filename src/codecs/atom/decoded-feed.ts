/** Feeds of all kinds, as one: what is in them, in their order, without markup. */

export type FeedFormat = 'atom' | 'rss' | 'json-feed';

export interface DecodedWebFeed {
  readonly format: FeedFormat;
  readonly id?: string;
  readonly title?: string;
  /** The page for people. */
  readonly url?: string;
  readonly updatedMs?: number;
  /** For how many minutes it may be kept before it is asked for again (`ttl` of RSS 2.0). */
  readonly ttlMinutes?: number;
  readonly selfUrl?: string;
  /** Hubs of WebSub. */
  readonly hubUrls: readonly string[];
  /** The next page of a feed that is in pages (RFC 5005, 3; `next_url` of JSON Feed). */
  readonly nextUrl?: string;
  readonly prevArchiveUrl?: string;
  readonly nextArchiveUrl?: string;
  readonly currentUrl?: string;
  readonly isArchive: boolean;
  /** Whether it says that what is not in it is no more (RFC 5005, 2). */
  readonly isComplete: boolean;
  readonly items: readonly WebFeedItem[];
  /** What is not as it should be and was read all the same, at most 100. */
  readonly problems: readonly string[];
}

/** Texts are without markup. URLs are absolute, http or https. Times are what the feed claims. */
export interface WebFeedItem {
  /** The feed's own, else the URL, else one made of the rest. Two items with one id are versions of one. */
  readonly id: string;
  /** Whether the feed gave none, so that the id changes when what it is made of does. */
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
  /** Where the feed was found: relative links count from there. */
  readonly url?: string;
}

export const WEB_FEED_LIMITS = {
  /** In UTF-16 units. */
  maxCharacters: 16 * 1024 * 1024,
  maxItems: 10_000,
  /** Of elements. XHTML within entries counts too. */
  maxDepth: 100,
  maxElements: 500_000,
  maxAttributes: 64,
  maxProblems: 100,
  /** Of ids; the hash of a longer one stands for it. */
  maxIdLength: 2048,
  maxCategories: 100,
} as const;

export const FEED_CLAUSE = 'FEED-FORM';
