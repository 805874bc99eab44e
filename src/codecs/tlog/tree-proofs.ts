/**
 * Proofs about a tree, made from the hashes in its tiles.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.1 (inclusion) and #section-2.1.4.1 (consistency)
 */

import type { Sha256 } from './crypto-functions.ts';
import { perfectSubtrees, type SubtreePlace } from './growing-tree.ts';
import { TILE_WIDTH, type Tile } from './tile-path.ts';
import { tileWidth } from './tiles-of-size.ts';
import { EMPTY_ROOT, nodeHash } from './tree-hash.ts';

export interface TileHashes {
  /**
   * Hash `index` of a tile level, counted in the whole log. It throws if it has none: {@link tilesForProof} says beforehand what a
   * proof needs.
   */
  readonly hashAt: (level: number, index: number) => Uint8Array;
  readonly sha256: Sha256;
}

/** The leaves from `start` to before `end`. Their common root is one element of a proof. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

const TILE_HEIGHT = 8;

/** The siblings of a leaf, from the leaf upward; none in a tree of one. */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  if (!(Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size)) {
    throw new RangeError(`A tree of ${size} has no leaf ${index}.`);
  }
  const siblings: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const split = start + splitOf(end - start);
    siblings.unshift(index < split ? { start: split, end } : { start, end: split });
    if (index < split) end = split;
    else start = split;
  }
  return siblings;
}

/** The ranges that prove that a tree of `oldSize` is the beginning of one of `size`. Empty if the old size is 0 or the same. */
export function consistencyRanges(oldSize: number, size: number): readonly LeafRange[] {
  if (!(Number.isSafeInteger(size) && Number.isSafeInteger(oldSize) && oldSize >= 0 && oldSize <= size)) {
    throw new RangeError(`A tree of ${oldSize} is no beginning of one of ${size}.`);
  }
  if (oldSize === 0 || oldSize === size) return [];
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (oldSize !== end) {
    const split = start + splitOf(end - start);
    ranges.unshift(oldSize <= split ? { start: split, end } : { start, end: split });
    if (oldSize <= split) end = split;
    else start = split;
  }
  // A subtree at the start of the tree is the old tree itself, whose root the verifier has.
  return start === 0 ? ranges : [{ start, end }, ...ranges];
}

/** The tiles with the hashes of these ranges, in a log of this size. Fetch them before calling {@link rangeHash}. */
export function tilesForProof(ranges: readonly LeafRange[], size: number): readonly Tile[] {
  const tiles = new Map<string, Tile>();
  for (const { start, end } of ranges) {
    for (const subtree of perfectSubtrees(end - start, start)) {
      const { level, first } = hashesBelow(subtree);
      const index = Math.floor(first / TILE_WIDTH);
      tiles.set(`${level}/${index}`, { level, index, width: tileWidth(size, level, index) });
    }
  }
  return [...tiles.values()];
}

/**
 * An inclusion proof: the siblings of a leaf as hashes.
 *
 * @example
 * const proof = proveInclusion(3, 7, { hashAt, sha256 }); // the hashes beside the way of entry 3 to the root
 */
export function proveInclusion(index: number, size: number, tiles: TileHashes): readonly Uint8Array[] {
  return inclusionRanges(index, size).map((range) => rangeHash(range, tiles));
}

/**
 * A consistency proof.
 *
 * @example
 * const proof = proveConsistency(5, 7, { hashAt, sha256 }); // that 5 entries are the beginning of 7
 */
export function proveConsistency(oldSize: number, size: number, tiles: TileHashes): readonly Uint8Array[] {
  return consistencyRanges(oldSize, size).map((range) => rangeHash(range, tiles));
}

/** The root over a range of leaves that is a subtree; over all leaves, the root of the tree. */
export function rangeHash({ start, end }: LeafRange, tiles: TileHashes): Uint8Array {
  const peaks = perfectSubtrees(end - start, start).map((subtree) => subtreeHash(subtree, tiles));
  const joined = peaks.reduceRight<Uint8Array | undefined>(
    (right, left) => (right === undefined ? left : nodeHash(left, right, tiles.sha256)),
    undefined,
  );
  return joined ?? EMPTY_ROOT;
}

/** Tiles have no interior nodes: those are hashed from the level below. */
function subtreeHash(subtree: SubtreePlace, { hashAt, sha256 }: TileHashes): Uint8Array {
  const { level, first, count } = hashesBelow(subtree);
  let row = Array.from({ length: count }, (_, at) => hashAt(level, first + at));
  while (row.length > 1) row = pairs(row).map(([left, right]) => nodeHash(left, right, sha256));
  return row[0] ?? EMPTY_ROOT;
}

/** The tile hashes that a perfect subtree is made from. All are in one tile. */
function hashesBelow({ height, index }: SubtreePlace): { level: number; first: number; count: number } {
  const level = Math.floor(height / TILE_HEIGHT);
  const count = 2 ** (height % TILE_HEIGHT);
  return { level, first: index * count, count };
}

function pairs(row: readonly Uint8Array[]): (readonly [Uint8Array, Uint8Array])[] {
  return row.flatMap((left, at) => {
    const right = row[at + 1];
    return at % 2 === 0 && right !== undefined ? [[left, right] as const] : [];
  });
}

/** The largest power of two smaller than a count above 1. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}
