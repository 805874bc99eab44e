/**
 * DiffDelta v1.1. Each source has a small head that says whether anything is new, a feed of the last changes, and an
 * archive of every feed that changed something.
 *
 * `GET /diff/docs/head.json`:
 *
 *     { "cursor": "sha256:ab12…", "prev_cursor": "sha256:cd34…", "changed": true,
 *       "generated_at": "2026-02-05T12:00:00.250Z", "ttl_sec": 300, "latest_url": "/diff/docs/latest.json" }
 *
 * `GET /diff/docs/latest.json`:
 *
 *     { "schema_version": "1.1.0", "generated_at": "2026-02-05T12:00:00.250Z", "source_id": "docs",
 *       "hash": "sha256:…", "prev_hash": "sha256:…", "cursor": "sha256:ab12…", "prev_cursor": "sha256:cd34…",
 *       "cursor_basis": "canonical_v1", "changed": true, "ttl_sec": 300, "sources_included": ["docs"],
 *       "batch_narrative": "docs: 1 page updated.", "counts": { "new": 0, "updated": 1, "removed": 0, "flagged": 0 },
 *       "archive_url": "/archive/docs/2026/02/05/20260205T120000Z_ab12….json", "prev_archive_url": "/archive/docs/…",
 *       "buckets": { "new": [], "updated": [{ "source": "docs", "id": "https://docs.example/guide", … }], "removed": [], "flagged": [] },
 *       "sources": { "docs": { "status": "ok", "changed": true, "delta_counts": { "new": 0, "updated": 1, "removed": 0 }, … } } }
 *
 * Spec: specs/diffdelta/diffdelta-v1.md, its clauses in clauses.tsv, our readings in traps.md.
 */

export const SCHEMA_VERSION = '1.1.0';
export const CURSOR_BASIS = 'canonical_v1';
export const DIFFDELTA_DISCOVERY_PATH = '/.well-known/diffdelta.json';
export const SCHEMA_PATH = '/schema/v1/diff.schema.json';
export const MEDIA_TYPE = 'application/json; charset=utf-8';
export const KEY_HEADER = 'x-diffdelta-key';
/** DD-T10, DD-T11: for heads and latest feeds. */
export const FRESH_CACHE = 'public, max-age=60, must-revalidate';
/** DD-T9, DD-T12: for archives and schemas. */
export const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';
/** The id under which the feed of all sources is archived. No source may have it. */
export const GLOBAL_ID = '_global';
/** DD-I8: an item with at least this score is in `flagged`. */
export const FLAGGED_FROM = 0.4;

/** `sha256:` and 64 lower-case hex digits; null until a source is first read (DD-C3). */
export type Cursor = string | null;

export interface DiffDeltaHead {
  readonly cursor: Cursor;
  readonly prev_cursor: Cursor;
  readonly changed: boolean;
  readonly generated_at: string;
  readonly ttl_sec: number;
  /** Relative to the head; in our own heads, an absolute path. */
  readonly latest_url: string;
}

export type BucketName = 'new' | 'updated' | 'removed' | 'flagged';
/** In the order of §3.1. */
export const BUCKETS: readonly BucketName[] = ['new', 'updated', 'removed', 'flagged'];
export type Buckets = Readonly<Record<BucketName, readonly DiffDeltaItem[]>>;

/** What changed on one page, or what one entry of a foreign feed says. */
export interface DiffDeltaItem {
  readonly source: string;
  /** Ours: the URL of the page, or `endpoint:` and the name of an endpoint. */
  readonly id: string;
  readonly url: string;
  readonly published_at: string;
  readonly updated_at: string;
  readonly headline: string;
  readonly content: ItemContent;
  readonly provenance: ItemProvenance;
  /** Absent: `{ score: 0, reasons: [] }` (DD-I5). */
  readonly risk?: ItemRisk;
}

export interface ItemContent {
  readonly excerpt_text?: string;
  readonly lang?: string;
  /** Ours: the sections that changed since the previous revision, if nothing else on the page did. Absent: read the whole page. */
  readonly sections?: readonly ItemSection[];
  /** Ours: `sha256:<hex>` of the page after the change, if known. */
  readonly checksum?: string;
}

export interface ItemSection {
  readonly anchor: string;
  /** Set if no element of the page has the anchor as its id. */
  readonly anchorIs?: 'key';
  readonly action: 'create' | 'update' | 'delete';
  readonly checksum?: string;
  readonly excerpt_text?: string;
}

export interface ItemProvenance {
  /** `sha256:<hex>`; what the cursor is made of (DD-I3). */
  readonly content_hash: string;
  readonly fetched_at: string;
  readonly evidence_urls: readonly string[];
  /** Ours: how often this item changed, from 1. Never decreases, even if the item is removed and created again. */
  readonly revision?: number;
  /** Ours, for an endpoint: whether the signature of its origin was verified. */
  readonly verified?: boolean;
  /** Ours: the id of the verification method. */
  readonly signer?: string;
  /** Ours: the hubs that the last change of the item came through, with blanks between them. */
  readonly via?: string;
  /** Ours: which sections of the page changed since the previous revision (`sections changed=a,b`), or where it moved. */
  readonly note?: string;
}

export interface ItemRisk {
  readonly score: number;
  readonly reasons?: readonly string[];
}

export type SourceStatusWord = 'ok' | 'degraded' | 'error' | 'disabled';

/** The status of a source: one entry of the status map (§5). */
export interface SourceEntry {
  readonly name?: string;
  readonly status: SourceStatusWord;
  readonly changed: boolean;
  readonly cursor: Cursor;
  readonly prev_cursor: Cursor;
  readonly ttl_sec: number;
  readonly head_url: string;
  readonly latest_url: string;
  readonly stale?: boolean;
  readonly stale_since?: string;
  readonly last_ok_at?: string;
  readonly stale_age_sec?: number;
  readonly consecutive_failures?: number;
  readonly error?: { readonly code: string; readonly http_status?: number };
  readonly disabled_reason?: string;
  readonly fallback_active?: true;
  readonly fallback_index?: number;
  readonly degraded_reason?: string;
  /** Present if and only if `changed` (DD-N1, DD-N2). Flagged items count as new or updated (T-DD-13). */
  readonly delta_counts?: DeltaCounts;
}

export interface DeltaCounts {
  readonly new: number;
  readonly updated: number;
  readonly removed: number;
}

export interface DiffDeltaFeed {
  readonly schema_version: string;
  readonly generated_at: string;
  /** Absent in the feed of all sources. */
  readonly source_id?: string;
  /** The hash of the text without this member (T-DD-8). */
  readonly hash?: string;
  /** `hash` of the previous file at the same address; null if there was none. */
  readonly prev_hash: string | null;
  readonly cursor: Cursor;
  readonly prev_cursor: Cursor;
  readonly cursor_basis: string;
  readonly changed: boolean;
  readonly ttl_sec: number;
  /** Sorted by code point. */
  readonly sources_included: readonly string[];
  readonly batch_narrative: string;
  readonly counts: Readonly<Record<BucketName, number>>;
  /** The permanent archive of the last change. Absent before the first change. */
  readonly archive_url?: string;
  /** The archive of the change before that. */
  readonly prev_archive_url?: string;
  readonly buckets: Buckets;
  readonly sources: Readonly<Record<string, SourceEntry>>;
}

/** `/.well-known/diffdelta.json`. */
export interface DiffDeltaDiscovery {
  readonly version: string;
  readonly service: string;
  readonly schema_version: string;
  readonly endpoints: {
    /** Absolute URLs; the templates contain `{source}`. */
    readonly diff_latest: string;
    readonly diff_head: string;
    readonly diff_sources: string;
    readonly diff_by_source_template: string;
    readonly diff_head_by_source_template: string;
    readonly healthz?: string;
    readonly schemas: { readonly diff: string };
  };
  readonly polling: { readonly recommended_ttl_sec: number };
  readonly capabilities: {
    readonly etag_supported: true;
    readonly cursor_supported: true;
    readonly per_source_endpoints: true;
    readonly head_pointers_supported: true;
    readonly webhooks_supported: boolean;
  };
  readonly sources_supported: readonly string[];
}

/** `/diff/sources.json`. */
export interface DiffDeltaSources {
  readonly sources: readonly ListedSource[];
}

export interface ListedSource {
  readonly source_id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly enabled: boolean;
  readonly status: SourceStatusWord;
  readonly cursor: Cursor;
  readonly ttl_sec: number;
  readonly head_url: string;
  readonly latest_url: string;
}
