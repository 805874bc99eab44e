import type { AIDocument } from '../codecs/aidocument/wire.ts';
import type { HttpHeaders } from '../fetch/http-client.ts';
import type { Validators } from '../fetch/response-headers.ts';

/** A page as its origin sent it and the same page as a browser drew it are two documents. */
export type DocumentVariant = 'static' | 'rendered';

export interface DocumentKey {
  /** Without fragment. */
  readonly url: string;
  readonly variant: DocumentVariant;
}

/** A document with what is needed to use it again. It says nothing of who asked for it. */
export interface Snapshot {
  readonly variant: DocumentVariant;
  /** As it was read. `cache` and `source.freshness_policy` belong to that call, and are said anew in each. */
  readonly document: AIDocument;
  readonly fetchedAtMs: number;
  readonly freshUntilMs: number;
  readonly validators: Validators;
  /** What the origin said of caching, for when a 304 leaves it unsaid. */
  readonly caching: HttpHeaders;
  /** By which rules the page was read, and a hash of the User-Agent where it varies by that. */
  readonly reader: string;
}

/** The URL that was asked for led to the document's own. */
export interface Redirect {
  readonly url: string;
  /** How long that may be believed. */
  readonly freshUntilMs: number;
}

/**
 * Documents that were read before, by their own URL (`document.source.url`) and by those that led there.
 *
 * A cache never makes a read fail: what cannot be kept is not kept, what cannot be found is not there, and whatever is kept may be
 * gone the next time. Several processes may use one.
 *
 * Every implementation passes `describeDocumentCache()` in document-cache.contract.ts.
 */
export interface DocumentCache extends AsyncDisposable {
  /** Fresh until the document or the redirect that led to it is not, whichever ends first. */
  find(key: DocumentKey): Promise<Snapshot | undefined>;
  /** Replaces what was kept under the document's URL, and under the one that led to it. */
  keep(snapshot: Snapshot, from?: Redirect): Promise<void>;
  /** Takes over freshness, validators, caching and reader of a copy; nothing happens when another copy has taken its place. */
  renew(snapshot: Snapshot, from?: Redirect): Promise<void>;
  forget(key: DocumentKey): Promise<void>;
}

export interface DocumentCacheLimits {
  /** Of all documents, as JSON; the one that was used longest ago goes first. */
  readonly maxBytes: number;
  /** A longer document is not kept. */
  readonly maxDocumentBytes: number;
  /** The one that was kept longest ago goes first. */
  readonly maxRedirects: number;
}

export const DOCUMENT_CACHE_LIMITS: DocumentCacheLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxDocumentBytes: 10 * 1024 * 1024,
  maxRedirects: 10_000,
};
