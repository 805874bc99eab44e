import { isSameBytes } from '../codecs/primitives/bytes.ts';
import type { Result } from '../codecs/primitives/result.ts';
import { decodeEntryBundle, findAlteredEntry, MAX_BUNDLE_BYTES } from '../codecs/tlog/entry-bundle.ts';
import { decodeHashTile, MAX_TILE_BYTES } from '../codecs/tlog/hash-tile.ts';
import { encodeTilePath, TILE_WIDTH, type Tile } from '../codecs/tlog/tile-path.ts';
import { hashesOfLevel, tileWidth } from '../codecs/tlog/tiles-of-size.ts';
import { EMPTY_ROOT, leafHash, nodeHash } from '../codecs/tlog/tree-hash.ts';
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  rangeHash,
  tilesForProof,
} from '../codecs/tlog/tree-proofs.ts';
import type { TreeHead } from '../codecs/tlog/verify-proof.ts';
import { TileError } from '../errors/tile-error.ts';
import { sha256 } from './sha256.ts';
import type { TileSource } from './tile-source.ts';

/** An entry that is in the tree. */
export interface TreeEntry {
  readonly index: number;
  readonly bytes: Uint8Array;
}

type Hashes = readonly Uint8Array[];

/** The number of cached tiles: 2 MB. Those of the right edge are cached in addition. */
const KEPT_TILES = 256;
/** The number of bundles requested in advance. */
const AHEAD = 4;

/**
 * Reads a tree from its tiles, and trusts a tile only after hashing it up to the root of the head. Tiles are cached during use; each bundle is read
 * once.
 *
 * Every method throws a {@link TileError} for a file that is missing or does not match the root, and whatever the source throws.
 *
 * @example
 * const tree = new TreeReader(source, opened.checkpoint);
 * const isPrefix = isSameBytes(await tree.rootAt(old.treeSize), old.rootHash);
 */
export class TreeReader {
  readonly size: number;
  readonly #root: Uint8Array;
  readonly #source: TileSource;
  readonly #kept = new Map<string, Promise<Hashes>>();
  #edge: Promise<ReadonlyMap<number, Hashes>> | undefined;

  /** `head` is of a checkpoint with a verified signature. */
  constructor(source: TileSource, { treeSize, rootHash }: TreeHead) {
    this.#source = source;
    this.size = treeSize;
    this.#root = rootHash;
  }

  /** The root of the tree when it had this many entries. */
  async rootAt(size: number): Promise<Uint8Array> {
    if (!(size >= 0 && size <= this.size)) throw new RangeError(`A tree of ${this.size} had no size of ${size}.`);
    const [root = EMPTY_ROOT] = size === 0 ? [] : await this.#rangeHashes([{ start: 0, end: size }]);
    return root;
  }

  async leafAt(index: number): Promise<Uint8Array> {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`A tree of ${this.size} has no entry ${index}.`);
    return await this.#hashAt(0, index);
  }

  /** From the leaf upward. */
  async inclusionProof(index: number): Promise<readonly Uint8Array[]> {
    return await this.#rangeHashes(inclusionRanges(index, this.size));
  }

  /** Empty from an empty tree, and from one of the same size. */
  async consistencyProof(oldSize: number): Promise<readonly Uint8Array[]> {
    return await this.#rangeHashes(consistencyRanges(oldSize, this.size));
  }

  /** In order. A bundle is trusted as a whole or not at all. */
  async *entries(from = 0, to = this.size): AsyncGenerator<TreeEntry, void> {
    if (!(from >= 0 && from <= to && to <= this.size)) throw new RangeError(`There are no entries ${from} to ${to}.`);
    if (from === to) return;
    const last = Math.floor((to - 1) / TILE_WIDTH);
    const asked: Promise<readonly Uint8Array[]>[] = [];
    let next = Math.floor(from / TILE_WIDTH);
    for (let number = next; number <= last; number += 1) {
      for (; next <= last && next < number + AHEAD; next += 1) asked.push(quietly(this.#bundle(next)));
      const bundle = (await asked.shift()) ?? [];
      for (const [at, bytes] of bundle.entries()) {
        const index = number * TILE_WIDTH + at;
        if (index >= from && index < to) yield { index, bytes };
      }
    }
  }

  /** The partial tiles on the right, by level: they are trusted only if they yield the root together. */
  edge(): Promise<ReadonlyMap<number, Hashes>> {
    this.#edge ??= quietly(this.#readEdge());
    return this.#edge;
  }

  async #rangeHashes(ranges: readonly LeafRange[]): Promise<readonly Uint8Array[]> {
    const tiles = new Map<string, Hashes>();
    const needed = tilesForProof(ranges, this.size);
    await Promise.all(needed.map(async (tile) => tiles.set(nameOf(tile), await this.#tile(tile))));
    const hashAt = (level: number, index: number) => hashIn(tiles.get(nameOf(tileOf(level, index))), index);
    return ranges.map((range) => rangeHash(range, { hashAt, sha256 }));
  }

  /** Hash `index` of a level of tiles. */
  async #hashAt(level: number, index: number): Promise<Uint8Array> {
    return hashIn(await this.#tile(tileOf(level, index)), index);
  }

  /** The hashes of a tile, verified. */
  async #tile(tile: Pick<Tile, 'index'> & { readonly level: Tile['level'] }): Promise<Hashes> {
    const { level, index } = tile;
    if (level === 'entries') throw new RangeError('Bundles hold no hashes.');
    if (tileWidth(this.size, level, index) < TILE_WIDTH) return (await this.edge()).get(level) ?? [];
    const name = nameOf(tile);
    const kept = this.#kept.get(name);
    if (kept !== undefined) return await kept;
    const read = quietly(this.#fullTile(level, index));
    this.#kept.set(name, read);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_TILES && oldest !== undefined) this.#kept.delete(oldest);
    return await read;
  }

  async #fullTile(level: number, index: number): Promise<Hashes> {
    const expected = await this.#hashAt(level + 1, index);
    const tile = { level, index, width: TILE_WIDTH };
    const hashes = await this.#readTile(tile);
    if (isSameBytes(rootOf(hashes), expected)) return hashes;
    throw this.#refusal([tile], 'it is not what the checkpoint says.');
  }

  async #readEdge(): Promise<ReadonlyMap<number, Hashes>> {
    const tiles: { readonly level: number; readonly index: number; readonly width: number }[] = [];
    for (let level = 0; hashesOfLevel(this.size, level) > 0; level += 1) {
      const index = Math.floor(hashesOfLevel(this.size, level) / TILE_WIDTH);
      const width = tileWidth(this.size, level, index);
      if (width > 0) tiles.push({ level, index, width });
    }
    const read = await Promise.all(tiles.map(async (tile) => [tile.level, await this.#readTile(tile)] as const));
    const edge = new Map(read);
    const hashAt = (level: number, index: number) => hashIn(edge.get(level), index);
    if (isSameBytes(rangeHash({ start: 0, end: this.size }, { hashAt, sha256 }), this.#root)) return edge;
    throw this.#refusal(tiles, `${tiles.length === 1 ? 'it is' : 'one of them is'} not what the checkpoint says.`);
  }

  async #bundle(index: number): Promise<readonly Uint8Array[]> {
    const tile: Tile = { level: 'entries', index, width: tileWidth(this.size, 'entries', index) };
    const { bytes, width } = await this.#read(tile, MAX_BUNDLE_BYTES);
    const entries = this.#decoded(tile, decodeEntryBundle(bytes, width)).slice(0, tile.width);
    const leaves = entries.map((entry) => leafHash(entry, sha256));
    // The level above verifies a full bundle: its tile of level 0 need not be read.
    const isRight = tile.width === TILE_WIDTH && isSameBytes(rootOf(leaves), await this.#hashAt(1, index));
    if (isRight) return entries;
    const altered = findAlteredEntry(entries, await this.#tile({ level: 0, index }), sha256);
    if (altered === undefined) return entries;
    throw this.#refusal([tile], `entry ${index * TILE_WIDTH + altered} is not what the checkpoint says.`);
  }

  async #readTile(tile: Tile): Promise<Hashes> {
    const { bytes } = await this.#read(tile, MAX_TILE_BYTES);
    return this.#decoded(tile, decodeHashTile(bytes, tile.width));
  }

  /** A partial file may disappear once its full one exists. */
  async #read(tile: Tile, maxFullBytes: number): Promise<{ readonly bytes: Uint8Array; readonly width: number }> {
    const { width } = tile;
    const bytes = await this.#source.read(encodeTilePath(tile), (maxFullBytes / TILE_WIDTH) * width);
    if (bytes !== undefined) return { bytes, width };
    const full = { ...tile, width: TILE_WIDTH };
    const instead = width < TILE_WIDTH ? await this.#source.read(encodeTilePath(full), maxFullBytes) : undefined;
    if (instead !== undefined) return { bytes: instead, width: TILE_WIDTH };
    const reason = 'the checkpoint needs it, and it is not there.';
    throw new TileError(this.#source.name, [encodeTilePath(tile)], { reason, isMissing: true });
  }

  #decoded<T>(tile: Tile, result: Result<T>): T {
    if (result.ok) return result.value;
    throw this.#refusal([tile], result.issues[0].message);
  }

  #refusal(tiles: readonly Tile[], reason: string): TileError {
    return new TileError(this.#source.name, tiles.map(encodeTilePath), { reason });
  }
}

function tileOf(level: number, index: number) {
  return { level, index: Math.floor(index / TILE_WIDTH) };
}

function nameOf({ level, index }: Pick<Tile, 'level' | 'index'>): string {
  return `${level}/${index}`;
}

function hashIn(tile: Hashes | undefined, index: number): Uint8Array {
  const hash = tile?.[index % TILE_WIDTH];
  if (hash === undefined) throw new Error(`Hash ${index} of a level was not read.`);
  return hash;
}

/** Of a full tile. */
function rootOf(hashes: Hashes): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const below = row;
    row = Array.from({ length: below.length / 2 }, (_, at) =>
      nodeHash(hashIn(below, 2 * at), hashIn(below, 2 * at + 1), sha256),
    );
  }
  return hashIn(row, 0);
}

/** Keeps a failure from being reported as unhandled before it is awaited. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
