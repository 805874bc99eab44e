import { crc32 } from 'node:zlib';
import type { FeedVersion } from '../../dialects/aicf/shelf/feed-store.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import type { ContentEncoding } from '../../hub/http/accept-encoding.ts';
import type { EncodedDocument } from '../../hub/http/answer-document.ts';
import type { ByteCache } from '../../hub/http/byte-cache.ts';
import { etagIn } from '../../hub/http/ready-document.ts';
import { brotli } from '../zlib/feed-gzip.ts';
import type { FeedGzip } from './feed-gzip.ts';
import type { WrittenFeed } from './feed-marks.ts';
import { type GrowingFile, PIECE_BYTES } from './growing-file.ts';

/** Up to here a feed is served from memory, and kept in br. */
export const SMALL_FEED_BYTES = 1024 * 1024;
/** How much of the end of a larger one is kept in memory, for followers that have the rest. */
const TAIL_BYTES = 64 * 1024;

/** The name of the end of a version in the cache. */
export function tailKey(name: string, bytes: number): string {
  return `${name} tail ${bytes}`;
}

/** What the versions of a feed share. */
export interface FileFeedPlace {
  readonly name: string;
  readonly file: GrowingFile;
  readonly gzip: FeedGzip;
  readonly cache: ByteCache;
  /** Encodings in progress, by their name in the cache: concurrent requests wait for the same one. */
  readonly making: Map<string, Promise<EncodedDocument | undefined>>;
  /** Tells that the file did not give what was written to it. */
  distrust(): void;
}

const ENCODINGS = ['br', 'gzip'] as const;

/** The first `bytes` bytes of a feed's file, whatever is appended to it later. */
export class FileFeedVersion implements FeedVersion {
  readonly etag: string;
  readonly encodings = ENCODINGS;
  readonly bytes: number;
  readonly lastModifiedMs: number;
  readonly #place: FileFeedPlace;
  readonly #crc: number;
  readonly #tailKey: string;

  constructor(place: FileFeedPlace, { bytes, crc, lastId, lastTimeMs }: WrittenFeed) {
    this.#place = place;
    this.bytes = bytes;
    this.lastModifiedMs = lastTimeMs;
    this.#crc = crc;
    this.#tailKey = tailKey(place.name, bytes);
    this.etag = `"${lastId}.${bytes}"`;
  }

  read(start = 0, end = this.bytes): Uint8Array | Promise<Uint8Array> | AsyncIterable<Uint8Array> {
    const { cache, file, name } = this.#place;
    const cached = cache.get(name);
    if (cached !== undefined && cached.length >= end) return cached.subarray(start, end);
    if (this.bytes <= SMALL_FEED_BYTES) return this.#whole().then((bytes) => bytes.subarray(start, end));
    if (start >= this.bytes - TAIL_BYTES) return this.#tail(start, end);
    if (end - start <= PIECE_BYTES) return this.#watched(file.read(start, end));
    return this.#stream(start, end);
  }

  encoded(encoding: ContentEncoding): EncodedDocument | undefined | Promise<EncodedDocument | undefined> {
    if (encoding === 'br' && this.bytes > SMALL_FEED_BYTES) return undefined;
    const { cache, name } = this.#place;
    const key = `${name} ${etagIn(this.etag, encoding)}`;
    const body = cache.get(key);
    if (body !== undefined) return { bytes: body.length, body };
    return this.#made(key, async () => {
      const made = await (encoding === 'br' ? this.#brotli() : this.#gzip());
      if (made?.body instanceof Uint8Array) cache.set(key, made.body);
      return made;
    });
  }

  async #brotli(): Promise<EncodedDocument> {
    const body = await brotli(await this.#whole());
    return { bytes: body.length, body };
  }

  async #gzip(): Promise<EncodedDocument | undefined> {
    const plain = this.bytes <= SMALL_FEED_BYTES ? await this.#whole() : undefined;
    return this.#watched(this.#place.gzip.encode({ bytes: this.bytes, crc: this.#crc }, plain));
  }

  /** For a small feed. */
  async #whole(): Promise<Uint8Array> {
    const { cache, file, name } = this.#place;
    const cached = cache.get(name);
    if (cached !== undefined && cached.length >= this.bytes) return cached.subarray(0, this.bytes);
    const bytes = await this.#loaded(`${name} ${this.bytes}`, async () => {
      const body = await this.#watched(file.read(0, this.bytes));
      if (crc32(body) === this.#crc) return body;
      this.#place.distrust();
      throw new LogUnavailableError(file.path, new Error('it does not hold what was written to it'));
    });
    if ((cache.get(name)?.length ?? 0) < bytes.length) cache.set(name, bytes);
    return bytes;
  }

  /** For a large feed. */
  #tail(start: number, end: number): Uint8Array | Promise<Uint8Array> {
    const { cache, file } = this.#place;
    const from = this.bytes - TAIL_BYTES;
    const cut = (tail: Uint8Array) => tail.subarray(start - from, end - from);
    const kept = cache.get(this.#tailKey);
    if (kept !== undefined) return cut(kept);
    const read = () => this.#watched(file.read(from, this.bytes));
    return this.#loaded(this.#tailKey, read).then((tail) => {
      cache.set(this.#tailKey, tail);
      return cut(tail);
    });
  }

  /** Reads it once for all concurrent requests. */
  async #loaded(key: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const made = await this.#made(key, async () => {
      const body = await read();
      return { bytes: body.length, body };
    });
    if (!(made?.body instanceof Uint8Array)) throw new Error('What was read of a feed is not in memory.');
    return made.body;
  }

  /** Makes it once for all concurrent requests. */
  async #made(key: string, make: () => Promise<EncodedDocument | undefined>): Promise<EncodedDocument | undefined> {
    const { making } = this.#place;
    const known = making.get(key);
    if (known !== undefined) return known;
    const promise = make();
    making.set(key, promise);
    try {
      return await promise;
    } finally {
      making.delete(key);
    }
  }

  async *#stream(start: number, end: number): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#place.file.stream(start, end);
    } catch (error) {
      this.#place.distrust();
      throw error;
    }
  }

  async #watched<T>(operation: Promise<T>): Promise<T> {
    try {
      return await operation;
    } catch (error) {
      this.#place.distrust();
      throw error;
    }
  }
}
