import { concatBytes } from '../../../codecs/primitives/bytes.ts';
import { decodeEntryBundle, encodeEntryBundle } from '../../../codecs/tlog/entry-bundle.ts';
import { decodeTilePath, TILE_WIDTH, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { leafHash, TREE_HASH_BYTES } from '../../../codecs/tlog/tree-hash.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { TileSource } from '../../../tlog/tile-source.ts';
import type { TlogRecord, TlogStore } from './tlog-store.ts';

export interface StoreTilesOptions {
  readonly store: TlogStore;
  /** Which of its logs; the current one by default. */
  readonly log?: number;
  readonly gunzip: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** A tile or bundle as it is stored: full bundles are compressed. */
export interface StoredTile {
  readonly bytes: Uint8Array;
  readonly isPacked: boolean;
}

/**
 * The files of a log in the tables of a hub, by the paths that it serves. Partial tiles of any width are cut from what is stored,
 * so everything that was ever served can be read as long as the log exists.
 */
export function storeTiles({ store, log, gunzip }: StoreTilesOptions): TileSource {
  return {
    name: 'the data folder of the hub',
    async read(path, maxBytes) {
      const bytes = await read(path);
      if (bytes !== undefined && bytes.length > maxBytes)
        throw new RangeError(`${path} has more than ${maxBytes} bytes.`);
      return bytes;
    },
  };

  async function read(path: string): Promise<Uint8Array | undefined> {
    const record = logOf(store, log);
    if (record === undefined) return undefined;
    if (path === 'vkey') return Buffer.from(`${record.vkey}\n`);
    if (path === 'checkpoint') return record.checkpoint === undefined ? undefined : Buffer.from(record.checkpoint);
    const tile = decodeTilePath(path);
    const found = tile.ok ? storedTile(store, record.log, tile.value) : undefined;
    if (found === undefined || !tile.ok) return undefined;
    return found.isPacked ? narrowed(await gunzip(found.bytes), tile.value.width) : found.bytes;
  }
}

/** The log with that number; by default the current one. */
export function logOf(store: Pick<TlogStore, 'logs'>, log?: number): TlogRecord | undefined {
  const logs = store.logs();
  return log === undefined ? logs.at(-1) : logs.find((each) => each.log === log);
}

/** Undefined if the log has not grown so far. A full bundle is returned whole, whatever the width is. */
export function storedTile(store: TlogStore, log: number, { level, index, width }: Tile): StoredTile | undefined {
  if (level === 'entries') {
    const packed = store.bundle(log, index);
    if (packed !== undefined) return { bytes: packed, isPacked: true };
    const entries = openEntries(store, log, index);
    return entries.length < width ? undefined : { bytes: encodeEntryBundle(entries.slice(0, width)), isPacked: false };
  }
  const full = store.tile(log, level, index);
  const hashes = full ?? openHashes(store, log, { level, index });
  const bytes = width * TREE_HASH_BYTES;
  return hashes.length < bytes ? undefined : { bytes: hashes.subarray(0, bytes), isPacked: false };
}

/** The first `width` entries of a bundle. */
export function narrowed(bundle: Uint8Array, width: number): Uint8Array {
  if (width === TILE_WIDTH) return bundle;
  const entries = decodeEntryBundle(bundle, TILE_WIDTH);
  if (!entries.ok) throw new Error(`A bundle of the provable log is damaged: ${entries.issues[0].message}`);
  return encodeEntryBundle(entries.value.slice(0, width));
}

/** The hashes of the partial tile, if this is that tile. */
function openHashes(
  store: TlogStore,
  log: number,
  { level, index }: { readonly level: number; readonly index: number },
): Uint8Array {
  const { size = 0 } = logOf(store, log) ?? {};
  if (index !== Math.floor(size / TILE_WIDTH ** (level + 1))) return new Uint8Array();
  if (level > 0) return store.openTile(log, level);
  return concatBytes(...store.openEntries(log).map((entry) => leafHash(entry, sha256)));
}

function openEntries(store: TlogStore, log: number, index: number): readonly Uint8Array[] {
  const { size = 0 } = logOf(store, log) ?? {};
  return index === Math.floor(size / TILE_WIDTH) ? store.openEntries(log) : [];
}
