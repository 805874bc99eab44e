import {
  DOCUMENT_CACHE_LIMITS,
  type DocumentCache,
  type DocumentCacheLimits,
  type DocumentKey,
  type DocumentVariant,
  type Redirect,
  type Snapshot,
} from './document-cache.ts';

interface Entry {
  snapshot: Snapshot;
  readonly bytes: number;
}

interface StoredRedirect {
  readonly target: string;
  readonly freshUntilMs: number;
}

/** For one process, or one call. */
export class MemoryDocumentCache implements DocumentCache {
  readonly #limits: DocumentCacheLimits;
  /** In the order of use: a map keeps the order of insertion. */
  readonly #entries = new Map<string, Entry>();
  readonly #redirects = new Map<string, StoredRedirect>();

  constructor(limits: DocumentCacheLimits = DOCUMENT_CACHE_LIMITS) {
    this.#limits = limits;
  }

  async find({ url, variant }: DocumentKey): Promise<Snapshot | undefined> {
    const redirect = this.#redirects.get(keyOf(url, variant));
    const key = keyOf(redirect?.target ?? url, variant);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const freshUntilMs = Math.min(entry.snapshot.freshUntilMs, redirect?.freshUntilMs ?? Number.POSITIVE_INFINITY);
    return { ...entry.snapshot, freshUntilMs };
  }

  async keep(snapshot: Snapshot, from?: Redirect): Promise<void> {
    const { url } = snapshot.document.source;
    const { variant } = snapshot;
    await this.forget({ url, variant });
    if (from !== undefined) await this.forget({ url: from.url, variant });
    const bytes = Buffer.byteLength(JSON.stringify(snapshot.document));
    if (bytes > this.#limits.maxDocumentBytes) return;

    this.#entries.set(keyOf(url, variant), { snapshot, bytes });
    this.#lead(from, snapshot);
    this.#makeRoom();
  }

  async renew(snapshot: Snapshot, from?: Redirect): Promise<void> {
    const { document, fetchedAtMs, freshUntilMs, validators, caching, reader, variant } = snapshot;
    const entry = this.#entries.get(keyOf(document.source.url, variant));
    if (entry === undefined || entry.snapshot.fetchedAtMs !== fetchedAtMs) return;
    entry.snapshot = { ...entry.snapshot, freshUntilMs, validators, caching, reader };
    this.#lead(from, snapshot);
  }

  async forget({ url, variant }: DocumentKey): Promise<void> {
    this.#redirects.delete(keyOf(url, variant));
    this.#entries.delete(keyOf(url, variant));
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #lead(from: Redirect | undefined, { document, variant }: Snapshot): void {
    const target = document.source.url;
    if (from === undefined || from.url === target) return;
    const key = keyOf(from.url, variant);
    this.#redirects.delete(key);
    this.#redirects.set(key, { target, freshUntilMs: from.freshUntilMs });
    const [oldest] = this.#redirects.keys();
    if (this.#redirects.size > this.#limits.maxRedirects && oldest !== undefined) this.#redirects.delete(oldest);
  }

  #makeRoom(): void {
    let bytes = 0;
    for (const entry of this.#entries.values()) bytes += entry.bytes;
    for (const [key, entry] of this.#entries) {
      if (bytes <= this.#limits.maxBytes) return;
      bytes -= entry.bytes;
      this.#entries.delete(key);
    }
  }
}

function keyOf(url: string, variant: DocumentVariant): string {
  return `${variant} ${url}`;
}
