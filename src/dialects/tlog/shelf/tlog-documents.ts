import { encodeHex } from '../../../codecs/primitives/hex.ts';
import { decodeTilePath, TILE_WIDTH, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { tileWidth } from '../../../codecs/tlog/tiles-of-size.ts';
import type { EncodedDocument, ServedDocument } from '../../../hub/http/answer-document.ts';
import { ByteCache } from '../../../hub/http/byte-cache.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import { narrowed, storedTile } from './store-tiles.ts';
import type { TlogRecord, TlogStore } from './tlog-store.ts';

export interface TlogDocumentParts {
  readonly store: TlogStore;
  /** The current log as it is shown. From memory. */
  readonly record: () => TlogRecord | undefined;
  readonly gzip: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly gunzip: (bytes: Uint8Array) => Promise<Uint8Array>;
}

const GZIP = ['gzip'] as const;
const CACHE_BYTES = 16 * 1024 * 1024;
/** How many tiles are remembered by path. Their bytes are in the cache or in the store. */
const REMEMBERED_TILES = 2000;

/** The files of the provable log as they are served. Tiles never change. */
export class TlogDocuments {
  readonly #parts: TlogDocumentParts;
  readonly #cache = new ByteCache(CACHE_BYTES);
  readonly #tiles = new Map<string, ServedDocument>();
  #checkpoint: { readonly note: string; readonly document: ServedDocument } | undefined;
  #vkey: { readonly line: string; readonly document: ServedDocument } | undefined;

  constructor(parts: TlogDocumentParts) {
    this.#parts = parts;
  }

  /** Returns the same object as long as the note is the same. */
  checkpoint(): ServedDocument | undefined {
    const note = this.#parts.record()?.checkpoint;
    if (note === undefined) return undefined;
    if (this.#checkpoint?.note !== note) this.#checkpoint = { note, document: textDocument(note) };
    return this.#checkpoint.document;
  }

  vkey(): ServedDocument | undefined {
    const vkey = this.#parts.record()?.vkey;
    if (vkey === undefined) return undefined;
    if (this.#vkey?.line !== vkey) this.#vkey = { line: vkey, document: textDocument(`${vkey}\n`) };
    return this.#vkey.document;
  }

  /**
   * By its path below the prefix: `tile/0/000.p/7`. Undefined if the log has not grown so far, or this is not the path of a tile.
   */
  tile(path: string): ServedDocument | undefined {
    const record = this.#parts.record();
    if (record === undefined) return undefined;
    const name = `${record.log} ${path}`;
    const known = this.#tiles.get(name);
    if (known !== undefined) return known;
    const tile = decodeTilePath(path);
    if (!tile.ok || tileWidth(record.size, tile.value.level, tile.value.index) < tile.value.width) return undefined;
    const document = this.#document(tile.value, record, name);
    for (const oldest of this.#tiles.keys()) {
      if (this.#tiles.size < REMEMBERED_TILES) break;
      this.#tiles.delete(oldest);
    }
    this.#tiles.set(name, document);
    return document;
  }

  /** The sources and times of an entry of type `checked`, as the JSON that the entry has the hash of. */
  checked(entry: number): ServedDocument | undefined {
    const { store, record, gunzip } = this.#parts;
    const { log } = record() ?? {};
    const packed = log === undefined ? undefined : store.checkedList(log, entry);
    if (packed === undefined) return undefined;
    return {
      etag: `"checked-${log}-${entry}"`,
      encodings: GZIP,
      read: () => gunzip(packed),
      encoded: () => ({ bytes: packed.length, body: packed }),
    };
  }

  /** A path of a log always has the same bytes, so it serves as their ETag. */
  #document(tile: Tile, { log, vkey }: TlogRecord, name: string): ServedDocument {
    const etag = `"${vkey.split('+')[1]}-${tile.level}-${tile.index}-${tile.width}"`;
    const read = () => this.#plain(tile, log, name);
    if (tile.level !== 'entries') return { etag, bytes: tile.width * HASH_BYTES, read };
    return { etag, encodings: GZIP, read, encoded: () => this.#packed(tile, log, name) };
  }

  #plain(tile: Tile, log: number, name: string): Uint8Array | Promise<Uint8Array> {
    const known = this.#cache.get(name);
    if (known !== undefined) return known;
    const found = storedTile(this.#parts.store, log, tile);
    if (found === undefined) throw new Error(`The provable log has lost ${name}.`);
    if (!found.isPacked) return this.#keep(name, found.bytes);
    return this.#parts.gunzip(found.bytes).then((bytes) => this.#keep(name, narrowed(bytes, tile.width)));
  }

  async #packed(tile: Tile, log: number, name: string): Promise<EncodedDocument> {
    const key = `${name} gzip`;
    const known =
      this.#cache.get(key) ?? (tile.width === TILE_WIDTH ? this.#parts.store.bundle(log, tile.index) : undefined);
    const body = known ?? (await this.#parts.gzip(await this.#plain(tile, log, name)));
    this.#keep(key, body);
    return { bytes: body.length, body };
  }

  #keep(name: string, bytes: Uint8Array): Uint8Array {
    this.#cache.set(name, bytes);
    return bytes;
  }
}

const HASH_BYTES = 32;
const TAG_DIGITS = 32;

function textDocument(text: string): ServedDocument {
  const bytes = Buffer.from(text);
  return { etag: `"${encodeHex(sha256(bytes)).slice(0, TAG_DIGITS)}"`, read: () => bytes };
}
