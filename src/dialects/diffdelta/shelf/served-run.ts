import type { Cursor, DeltaCounts } from '../../../codecs/diffdelta/wire.ts';
import type { EncodedDocument } from '../../../hub/http/answer-document.ts';
import type { ByteCache } from '../../../hub/http/byte-cache.ts';
import { etagOf, type RunFeedRecord } from './feed-record.ts';
import { GZIP_ABOVE_BYTES, type RunStore } from './run-store.ts';
import type { RunFile, RunVersion } from './run-version.ts';

/** Where bodies come from. */
export interface RunBodies {
  readonly store: Pick<RunStore, 'latest' | 'unpack'>;
  readonly cache: ByteCache;
}

const GZIP = ['gzip'] as const;

/** A stored version: its head is in memory, its feed in the store until the next one replaces it. */
export class ServedRun implements RunVersion {
  readonly cursor: Cursor;
  readonly prevCursor: Cursor;
  readonly changed: boolean;
  readonly deltaCounts?: DeltaCounts;
  readonly head: RunFile;
  readonly latest: RunFile;
  /** Whether a caller may still hold it. */
  wasFound = false;
  readonly #name: string;
  readonly #key: string;
  readonly #bodies: RunBodies;
  #isStored = true;

  constructor(record: RunFeedRecord, bodies: RunBodies) {
    const { name, cursor, prevCursor, changed, entry } = record;
    const etag = etagOf(record);
    this.cursor = cursor;
    this.prevCursor = prevCursor;
    this.changed = changed;
    if (entry?.delta_counts !== undefined) this.deltaCounts = entry.delta_counts;
    this.#name = name;
    this.#key = `${name} ${etag}`;
    this.#bodies = bodies;
    this.head = headFile(etag, record.head);
    this.latest = {
      etag,
      ...(record.bytes > GZIP_ABOVE_BYTES && { encodings: GZIP }),
      read: () => this.#plain(),
      encoded: () => this.#encoded(),
    };
  }

  /** Called before another version replaces it in the store, so that a caller that holds this one gets its bytes. */
  keepIfFound(): void {
    if (this.wasFound) this.#packed();
  }

  /** Called when another version has replaced it. */
  leave(): void {
    this.#isStored = false;
  }

  #plain(): Uint8Array | Promise<Uint8Array> {
    const { cache, store } = this.#bodies;
    const known = cache.get(this.#key);
    if (known !== undefined) return known;
    const plain = store.unpack(this.#packed());
    if (!(plain instanceof Promise)) return this.#keep(this.#key, plain);
    return plain.then((bytes) => this.#keep(this.#key, bytes));
  }

  #encoded(): EncodedDocument {
    const body = this.#packed();
    return { bytes: body.length, body };
  }

  #packed(): Uint8Array {
    const key = `${this.#key} packed`;
    const { cache, store } = this.#bodies;
    const packed = cache.get(key) ?? (this.#isStored ? store.latest(this.#name) : undefined);
    if (packed === undefined) throw new Error(`The feed ${this.#name} has been replaced since it was found.`);
    return this.#keep(key, packed);
  }

  #keep(key: string, bytes: Uint8Array): Uint8Array {
    this.#bodies.cache.set(key, bytes);
    return bytes;
  }
}

/** A head is too small to be compressed. */
function headFile(etag: string, text: string): RunFile {
  const bytes = Buffer.from(text);
  return { etag, read: () => bytes };
}
