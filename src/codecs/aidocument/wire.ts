/**
 * AIDocument 2.0 of AIWebIndex: one page as one JSON object, in groups.
 *
 *     {
 *       "schema": { "name": "AIDocument", "version": "2.0", "ref": "aidoc:sha256:8a93c5f24b1e7d0c3f9a8b2e6d4c1f0e" },
 *       "source": { "url": "https://example.com/article", "status_code": 200, "freshness_policy": "cache_first" },
 *       "cache": { "status": "miss", "origin_contacted": true, "body_fetched": true },
 *       "identity": { "title": "How HTTP works", "language": "en", "content_type": "article" },
 *       "content": { "markdown": "# How HTTP works\n\nWhen a client..." },
 *       "structure": { "headings": [{ "level": 1, "text": "How HTTP works" }] },
 *       "signals": { "word_count": 1240, "reading_time": 5, "has_json_ld": false, "heading_hierarchy_ok": true }
 *     }
 *
 * A field without a value is left out, never null (AWI-DOC5). Later 2.x documents may have groups and fields that
 * are not listed here.
 *
 * Spec: AIWebIndex 2.0, section 4.
 */

export const AIDOCUMENT_NAME = 'AIDocument';
export const AIDOCUMENT_VERSION = '2.0';

export interface AIDocument {
  readonly schema: SchemaInfo;
  readonly source: SourceInfo;
  readonly cache: CacheInfo;
  readonly identity: IdentityInfo;
  readonly content: ContentInfo;
  readonly structure: StructureInfo;
  readonly signals: SignalsInfo;
  readonly economics?: EconomicsInfo;
  /** Our own group: see {@link UsageInfo}. */
  readonly usage?: UsageInfo;
}

export interface SchemaInfo {
  readonly name: typeof AIDOCUMENT_NAME;
  /** `2.0`, or a later 2.x. */
  readonly version: string;
  /** Begins with `aidoc:`. Opaque: refs of two implementations cannot be compared (T-AWI-5). */
  readonly ref?: string;
}

export type RenderMode = 'static' | 'rendered' | 'static_after_render_failure';
export type FreshnessPolicy = 'cache_first' | 'force_refresh';
export type CacheStatus = 'hit' | 'miss' | 'refreshed' | 'stale_revalidated';

/** Describes the snapshot, whatever the cache did; only the policy belongs to this call (T-AWI-4). */
export interface SourceInfo {
  /** Absolute, after redirects. */
  readonly url: string;
  readonly canonical_url?: string;
  /** RFC 3339. */
  readonly fetched_at?: string;
  readonly render_mode?: RenderMode;
  readonly status_code?: number;
  readonly freshness_policy: FreshnessPolicy;
}

/** What happened in this call. The booleans are more precise than the status. */
export interface CacheInfo {
  readonly status: CacheStatus;
  readonly origin_contacted: boolean;
  readonly body_fetched: boolean;
}

export interface IdentityInfo {
  readonly title?: string;
  readonly description?: string;
  /** BCP 47. */
  readonly language?: string;
  /** The kind of page, such as `article`; not its media type. */
  readonly content_type?: string;
}

export interface ContentInfo {
  readonly markdown: string;
}

export interface StructureInfo {
  readonly headings?: readonly DocumentHeading[];
  readonly links?: readonly DocumentLink[];
  readonly images?: readonly DocumentImage[];
  readonly structured_data?: JsonObject;
}

export interface DocumentHeading {
  /** 1 for h1 … 6 for h6. */
  readonly level: number;
  readonly text: string;
  readonly id?: string;
}

export interface DocumentLink {
  readonly url: string;
  readonly text?: string;
  /** Whether the target has the same host as the page; the port is ignored (T-AWI-11). */
  readonly internal: boolean;
  readonly rel?: string;
}

export interface DocumentImage {
  readonly url: string;
  readonly alt?: string;
}

export interface SignalsInfo {
  readonly word_count?: number;
  /** Minutes. */
  readonly reading_time?: number;
  readonly has_json_ld: boolean;
  readonly heading_hierarchy_ok: boolean;
}

export interface EconomicsInfo {
  readonly output_tokens_approx: number;
  readonly raw_html_tokens_approx: number;
  /** Negative if the Markdown is longer. */
  readonly token_savings: number;
  readonly token_savings_percent: number;
  readonly estimated_cost_usd: { readonly our_output: number; readonly raw_html: number; readonly savings: number };
  readonly pricing_basis: PricingBasis;
}

export interface PricingBasis {
  readonly input_price_per_1k_usd: number;
  readonly model_class: string;
  readonly note?: string;
}

/**
 * What the publisher of the page said about its use when it was fetched. 2.0 does not define this group but allows it (AWI-DOC4).
 * Absent if nobody asked.
 */
export interface UsageInfo {
  /** The result of all statements: a single "no" wins. No statement covers a use that is absent. */
  readonly uses: Readonly<Partial<Record<'search' | 'ai-input' | 'ai-train', 'yes' | 'no'>>>;
  readonly statements: readonly UsageStatement[];
}

export interface UsageStatement {
  readonly vocabulary: 'aipref' | 'content-signal' | 'rsl' | 'tdmrep' | 'robots-words' | 'license';
  /** The address of the file, or `header` or `page`. */
  readonly where: string;
  /** The statement as written, shortened. */
  readonly said: string;
  readonly wishes: UsageInfo['uses'];
  readonly note?: string;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
