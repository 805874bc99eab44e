import { crc32 } from 'node:zlib';
import { LogUnavailableError } from '../../errors/log-error.ts';
import type { EncodedDocument } from '../../hub/http/answer-document.ts';
import {
  deflateRest,
  deflateSegment,
  GZIP_HEADER,
  gzipTrailer,
  SEGMENT_BYTES,
  WINDOW_BYTES,
} from '../zlib/feed-gzip.ts';
import type { GrowingFile } from './growing-file.ts';

/** Which part of a feed is stored compressed in its file. */
export interface GzipState {
  /** The number of segments of the plain bytes. */
  readonly segments: number;
  /** The number of bytes of the file. */
  readonly bytes: number;
  /** CRC-32 of the plain bytes in them. */
  readonly crc: number;
}

export const NO_GZIP: GzipState = { segments: 0, bytes: 0, crc: 0 };

/** Up to here a reader waits for what is not compressed yet. */
const MAX_AWAITED_BYTES = 4 * 1024 * 1024;
/** Up to here the compressed form is put together in memory. */
const MAX_WHOLE_BYTES = 1024 * 1024;

/** The gzip form of one feed: whole segments in a file that only grows, the rest made for each version. */
export class FeedGzip {
  readonly #plain: GrowingFile;
  readonly #packed: GrowingFile;
  #state: GzipState;
  /** The newest version, if it is too large for the cache: only its rest is in memory. */
  #latest: { readonly bytes: number; readonly encoded: EncodedDocument } | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isPreparing = false;
  #stopped = false;

  constructor(plain: GrowingFile, packed: GrowingFile, state: GzipState) {
    this.#plain = plain;
    this.#packed = packed;
    this.#state = state;
  }

  get state(): GzipState {
    return this.#state;
  }

  /**
   * That version, compressed; `plain` are its bytes if they are in memory. Undefined if so much is missing that nobody should wait for it (it is then made for
   * later requests), or if the version is no longer the newest. Throws if the bytes on disk are not those of the version.
   */
  async encode(version: { bytes: number; crc: number }, plain?: Uint8Array): Promise<EncodedDocument | undefined> {
    const whole = Math.floor(version.bytes / SEGMENT_BYTES);
    if (version.bytes - this.#state.segments * SEGMENT_BYTES > MAX_AWAITED_BYTES) {
      this.#prepare(whole);
      return undefined;
    }
    return this.#inTurn(() => this.#encode(version, plain));
  }

  /** Resolves when all writes have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#turn;
  }

  #prepare(whole: number): void {
    if (this.#isPreparing) return;
    this.#isPreparing = true;
    const end = () => {
      this.#isPreparing = false;
    };
    this.#inTurn(() => this.#grow(whole)).then(end, end);
  }

  async #encode(
    { bytes, crc }: { bytes: number; crc: number },
    plain?: Uint8Array,
  ): Promise<EncodedDocument | undefined> {
    if (this.#latest?.bytes === bytes) return this.#latest.encoded;
    const whole = Math.floor(bytes / SEGMENT_BYTES);
    if (this.#state.segments > whole || !(await this.#grow(whole))) return undefined;
    const { window, content } = await this.#plainFrom(whole * SEGMENT_BYTES, bytes, plain);
    if (crc32(content, this.#state.crc) !== crc) {
      this.#state = NO_GZIP;
      throw new LogUnavailableError(this.#plain.path, new Error('it does not hold what was written to it'));
    }
    const end = Buffer.concat([await deflateRest(window, content), gzipTrailer(crc, bytes)]);
    const encoded = await this.#joined(end);
    this.#latest = encoded.body instanceof Uint8Array ? undefined : { bytes, encoded };
    return encoded;
  }

  async #joined(end: Uint8Array): Promise<EncodedDocument> {
    const packed = this.#packed;
    const packedBytes = this.#state.bytes;
    const bytes = GZIP_HEADER.length + packedBytes + end.length;
    if (bytes <= MAX_WHOLE_BYTES) {
      const middle = packedBytes === 0 ? [] : [await packed.read(0, packedBytes)];
      return { bytes, body: Buffer.concat([GZIP_HEADER, ...middle, end]) };
    }
    async function* pieces() {
      yield GZIP_HEADER;
      yield* packed.stream(0, packedBytes);
      yield end;
    }
    return { bytes, body: { [Symbol.asyncIterator]: pieces } };
  }

  /** Compresses the segments that are missing up to `whole`. False when it was stopped. */
  async #grow(whole: number): Promise<boolean> {
    while (this.#state.segments < whole) {
      if (this.#stopped) return false;
      const { segments, bytes, crc } = this.#state;
      const start = segments * SEGMENT_BYTES;
      const { window, content } = await this.#plainFrom(start, start + SEGMENT_BYTES);
      const segment = await deflateSegment(window, content);
      await this.#packed.write(bytes, segment);
      this.#state = { segments: segments + 1, bytes: bytes + segment.length, crc: crc32(content, crc) };
    }
    return true;
  }

  async #plainFrom(start: number, end: number, plain?: Uint8Array) {
    const before = Math.max(0, start - WINDOW_BYTES);
    const bytes = plain?.subarray(before, end) ?? (await this.#plain.read(before, end));
    return { window: bytes.subarray(0, start - before), content: bytes.subarray(start - before) };
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(step);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
