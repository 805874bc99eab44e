import type { AIDocument } from '../codecs/aidocument/wire.ts';
import type { HttpHeaders } from '../fetch/http-client.ts';
import type { Validators } from '../fetch/response-headers.ts';

/** A page as its origin sent it and the same page after a browser rendered it are two documents. */
export type DocumentVariant = 'static' | 'rendered';

export interface DocumentKey {
  /** Without fragment. */
  readonly url: string;
  readonly variant: DocumentVariant;
}

/** A document with what is needed to reuse it. It contains nothing about who requested it. */
export interface Snapshot {
  readonly variant: DocumentVariant;
  /** As it was read. `cache` and `source.freshness_policy` belong to a call and are set again in each. */
  readonly document: AIDocument;
  readonly fetchedAtMs: number;
  readonly freshUntilMs: number;
  readonly validators: Validators;
  /** What the origin said about caching, in case a 304 does not repeat it. */
  readonly caching: HttpHeaders;
  /** The rules by which the page was read, and a hash of the User-Agent if the page varies by it. */
  readonly reader: string;
}

/** The requested URL led to the document's own. */
export interface Redirect {
  readonly url: string;
  /** How long the redirect may be trusted. */
  readonly freshUntilMs: number;
}

/**
 * Documents that were read before, by their own URL (`document.source.url`) and by those that led there.
 *
 * A cache never makes a read fail: what cannot be stored is skipped, what cannot be found counts as absent, and stored documents may disappear at any
 * time. Several processes may use one cache.
 *
 * Every implementation passes `describeDocumentCache()` in document-cache.contract.ts.
 */
export interface DocumentCache extends AsyncDisposable {
  /** Fresh as long as both the document and the redirect that led to it are. */
  find(key: DocumentKey): Promise<Snapshot | undefined>;
  /** Replaces what was stored under the document's URL, and under the one that led to it. */
  keep(snapshot: Snapshot, from?: Redirect): Promise<void>;
  /** Takes over freshness, validators, caching and reader of a copy; does nothing if another copy has replaced it. */
  renew(snapshot: Snapshot, from?: Redirect): Promise<void>;
  forget(key: DocumentKey): Promise<void>;
}

export interface DocumentCacheLimits {
  /** Of all documents, as JSON; the least recently used one is removed first. */
  readonly maxBytes: number;
  /** A longer document is not stored. */
  readonly maxDocumentBytes: number;
  /** The redirect stored longest ago is removed first. */
  readonly maxRedirects: number;
}

export const DOCUMENT_CACHE_LIMITS: DocumentCacheLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxDocumentBytes: 10 * 1024 * 1024,
  maxRedirects: 10_000,
};
