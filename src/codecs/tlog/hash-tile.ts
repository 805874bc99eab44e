/** A tile of hashes: 32 bytes each, one after the other, and nothing else. Spec: https://c2sp.org/tlog-tiles#merkle-tree */

import { accept, type Result, refuse } from '../primitives/result.ts';
import { TILE_WIDTH } from './tile-path.ts';
import { TREE_HASH_BYTES } from './tree-hash.ts';

/** The size of a full tile. A reader may stop after this. */
export const MAX_TILE_BYTES = TILE_WIDTH * TREE_HASH_BYTES;

/**
 * The first `width` hashes of a tile of this width, or of the full tile that has replaced it. They prove nothing until they are
 * hashed up to a signed root.
 *
 * @example
 * const hashes = decodeHashTile(bytes, 7); // of tile/0/000.p/7
 * if (hashes.ok) hashes.value.length; // 7
 */
export function decodeHashTile(bytes: Uint8Array, width: number): Result<readonly Uint8Array[]> {
  if (bytes.length !== width * TREE_HASH_BYTES && bytes.length !== MAX_TILE_BYTES) {
    return refuse('TL-T6', `A tile of ${width} hashes has ${width * TREE_HASH_BYTES} bytes, not ${bytes.length}.`);
  }
  return accept(
    Array.from({ length: width }, (_, at) => bytes.subarray(at * TREE_HASH_BYTES, (at + 1) * TREE_HASH_BYTES)),
  );
}
