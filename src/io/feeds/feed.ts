import { crc32 } from 'node:zlib';
import type { EncodedDocument } from '../../hub/http/answer-document.ts';
import type { ByteCache } from '../../hub/http/byte-cache.ts';
import { FeedGzip, type GzipState, NO_GZIP } from './feed-gzip.ts';
import { type FeedMark, NOTHING_WRITTEN, type WrittenFeed } from './feed-marks.ts';
import { type FileFeedPlace, FileFeedVersion, SMALL_FEED_BYTES, tailKey } from './feed-version.ts';
import { GrowingFile } from './growing-file.ts';

interface Shared {
  readonly cache: ByteCache;
  readonly making: Map<string, Promise<EncodedDocument | undefined>>;
  readonly onDistrust: (feed: FileFeed) => void;
}

/** What a batch adds to a feed. */
export interface FeedGrowth {
  readonly text: string;
  readonly seq: number;
  /** The last line; absent if there is none. */
  readonly last?: { readonly id: string; readonly timeMs: number };
}

/** One feed: its files, how far they are written, and the version that is shown of it. */
export class FileFeed implements FileFeedPlace {
  readonly name: string;
  readonly file: GrowingFile;
  readonly packed: GrowingFile;
  readonly #shared: Shared;
  #written = NOTHING_WRITTEN;
  /** Stays while the file is rewritten, because it will hold the same bytes again. */
  #shown = NOTHING_WRITTEN;
  #version: FileFeedVersion | undefined;
  #gzip: FeedGzip | undefined;
  #gzipState: GzipState = NO_GZIP;
  #dirty = false;

  /** `path`: of its files, without their endings. */
  constructor(path: string, name: string, shared: Shared) {
    this.name = name;
    this.file = new GrowingFile(`${path}.ndjson`);
    this.packed = new GrowingFile(`${path}.deflate`);
    this.#shared = shared;
  }

  get cache(): ByteCache {
    return this.#shared.cache;
  }

  get making(): FileFeedPlace['making'] {
    return this.#shared.making;
  }

  get gzip(): FeedGzip {
    this.#gzip ??= new FeedGzip(this.file, this.packed, this.#gzipState);
    return this.#gzip;
  }

  /** The newest one; undefined while the feed has no line. */
  get version(): FileFeedVersion | undefined {
    if (this.#version === undefined && this.#shown.bytes > 0) this.#version = new FileFeedVersion(this, this.#shown);
    return this.#version;
  }

  /** Whether bytes of it may not be on the disk yet. */
  get isDirty(): boolean {
    return this.#written.bytes > 0 && (this.#dirty || this.mark.gzip !== this.#gzipState);
  }

  get mark(): FeedMark {
    return { name: this.name, written: this.#written, gzip: this.#gzip?.state ?? this.#gzipState };
  }

  /** Takes over what an earlier process wrote. */
  adopt(mark: FeedMark, synced: boolean): void {
    this.#written = mark.written;
    this.#shown = mark.written;
    if (synced && mark.gzip.bytes > 0 && this.packed.size() >= mark.gzip.bytes) this.#gzipState = mark.gzip;
    this.#dirty = !synced;
  }

  /** Throws when it cannot be written; then nothing of it counts. */
  async append({ text, seq, last }: FeedGrowth): Promise<void> {
    const { bytes, crc, lastTimeMs } = this.#written;
    if (last === undefined) {
      this.#written = { ...this.#written, seq };
      return;
    }
    const added = Buffer.from(text);
    this.#dirty = true;
    await this.file.write(bytes, added);
    this.#written = {
      bytes: bytes + added.length,
      seq,
      lastId: last.id,
      lastTimeMs: Math.max(last.timeMs, lastTimeMs),
      crc: crc32(added, crc),
    };
    this.#growCached(bytes, added);
    this.#show(this.#written);
  }

  async sync(): Promise<void> {
    const { gzip } = this.mark;
    if (this.#dirty) await this.file.sync();
    if (gzip.bytes > 0) await this.packed.sync();
    this.#dirty = false;
  }

  /** Whether its file holds what was written to it. */
  async isWhole(): Promise<boolean> {
    const { bytes, crc } = this.#written;
    return this.file.size() >= bytes && (bytes === 0 || (await this.file.crc(bytes)) === crc);
  }

  distrust(): void {
    this.#shared.onDistrust(this);
  }

  async startAgain(): Promise<void> {
    await this.stop();
    this.#gzip = undefined;
    this.#gzipState = NO_GZIP;
    this.#written = NOTHING_WRITTEN;
    this.cache.delete(this.name);
  }

  /** Ends what is being compressed for later. */
  async stop(): Promise<void> {
    await this.#gzip?.stop();
  }

  #show(written: WrittenFeed): void {
    if (written.bytes <= this.#shown.bytes) return;
    this.#shown = written;
    this.#version = undefined;
  }

  #growCached(bytes: number, added: Uint8Array): void {
    this.cache.delete(tailKey(this.name, bytes));
    const cached = this.cache.get(this.name);
    if (cached === undefined || cached.length !== bytes) return;
    if (bytes + added.length > SMALL_FEED_BYTES) this.cache.delete(this.name);
    else this.cache.set(this.name, Buffer.concat([cached, added]));
  }
}
