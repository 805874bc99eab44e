/**
 * The hashes of a Merkle tree: a leaf is SHA-256(0x00 ‖ entry), a node SHA-256(0x01 ‖ left ‖ right), an empty tree SHA-256 of nothing.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc6962#section-2.1
 */

import { concatBytes } from '../primitives/bytes.ts';
import { decodeHex } from '../primitives/hex.ts';
import type { Sha256 } from './crypto-functions.ts';

export const TREE_HASH_BYTES = 32;

const NOTHING_HASHED = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The root of a tree without entries. */
export const EMPTY_ROOT: Uint8Array = decodeHex(NOTHING_HASHED) ?? new Uint8Array(TREE_HASH_BYTES);

const LEAF = Uint8Array.of(0);

/**
 * The hash of the bytes of an entry, without the length before them in a bundle.
 *
 * @example
 * const leaf = leafHash(encodeEntry(entry, sha256), sha256); // 32 bytes
 */
export function leafHash(entry: Uint8Array, sha256: Sha256): Uint8Array {
  return sha256(concatBytes(LEAF, entry));
}

export function nodeHash(left: Uint8Array, right: Uint8Array, sha256: Sha256): Uint8Array {
  const node = new Uint8Array(1 + 2 * TREE_HASH_BYTES);
  node[0] = 1;
  node.set(left, 1);
  node.set(right, 1 + TREE_HASH_BYTES);
  return sha256(node);
}
