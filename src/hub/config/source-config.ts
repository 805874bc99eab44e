/**
 * A source as an operator writes it down: in `tidings.config.json`, with `tidings source add`, or through the API.
 *
 *     { "id": "any", "kind": "auto", "url": "https://any.example/" }
 *     { "id": "docs", "kind": "folder", "path": "./site", "site": "https://docs.example/" }
 *     { "id": "live", "kind": "site", "url": "https://live.example/", "intervalSeconds": 300, "fallbacks": ["https://mirror.example/"] }
 *     { "id": "terms", "kind": "page", "urls": ["https://acme.example/terms"] }
 *     { "id": "acme", "kind": "feed", "url": "https://acme.example/", "dialect": "aicf" }
 *     { "id": "blog", "kind": "feed", "url": "https://blog.example/feed.xml", "dialect": "atom" }
 *     { "id": "news", "kind": "site", "url": "https://news.example/", "ignore": ["/log/**", ".ad"], "only": ["article"] }
 *     { "id": "shop", "kind": "site", "url": "https://shop.example/", "sitemap": "https://shop.example/sitemap-news.xml" }
 */
import type { GivenRules } from '../../model/given-rules.ts';

interface SourceBasics extends GivenRules {
  /** `[a-z0-9_]+`, at most 64 characters. Names that begin with `_` are ours. */
  readonly id: string;
  /** For people. */
  readonly title?: string;
  /** For clients that choose among many sources. */
  readonly tags?: readonly string[];
  /** Kept as given. Absent: the interval adapts. */
  readonly intervalSeconds?: number;
  /** Path patterns as in robots.txt (a prefix, `*`, `$`): only matching pages are read. */
  readonly include?: readonly string[];
  /** Matching pages are left out. Overrides `include`. */
  readonly exclude?: readonly string[];
}

/** A folder of built HTML on this machine. */
export interface FolderConfig extends SourceBasics {
  readonly kind: 'folder';
  /** Absolute once decoded. */
  readonly path: string;
  /** The public address of the site, with a final slash. */
  readonly site: string;
  readonly cleanUrls?: boolean;
}

/** A site, read in the best way that it offers: the first of its feeds that can be read, or its pages if it has no feed or while that feed is broken. */
export interface AutoConfig extends SourceBasics {
  readonly kind: 'auto';
  /** With a final slash. */
  readonly url: string;
  /** The maximum of pages, when its pages are read. */
  readonly maxPages?: number;
  /** Feeds about endpoints are skipped. Absent: any feed is suitable. */
  readonly tellsOf?: 'pages';
  /** Audited against its provable log at each check. Absent: no audit. */
  readonly audit?: boolean;
}

/** A live site: from its sitemaps, else by its links. */
export interface SiteConfig extends SourceBasics {
  readonly kind: 'site';
  /** With a final slash. */
  readonly url: string;
  /** Mirrors of the whole site, asked in this order when it cannot be read. */
  readonly fallbacks?: readonly string[];
  /** The sitemap, or index of sitemaps, that names the pages. Absent: those that the site names, else its links. */
  readonly sitemap?: string;
  readonly maxPages?: number;
}

/** Single pages. */
export interface PageConfig extends SourceBasics {
  readonly kind: 'page';
  readonly urls: readonly string[];
  /** Mirrors of the first page; allowed where there is only one. */
  readonly fallbacks?: readonly string[];
}

/** A feed in a dialect that has a reader. */
export interface FeedConfig extends SourceBasics {
  readonly kind: 'feed';
  readonly url: string;
  readonly dialect: string;
  readonly fallbacks?: readonly string[];
  /** The file with our API key for it, if the dialect uses one. Absolute once decoded. */
  readonly apiKeyFile?: string;
  /** Audited against the provable log of its site at each check. Absent: no audit. */
  readonly audit?: boolean;
}

export type SourceConfig = AutoConfig | FolderConfig | SiteConfig | PageConfig | FeedConfig;
export type SourceKind = SourceConfig['kind'];
