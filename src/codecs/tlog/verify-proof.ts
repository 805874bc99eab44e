/**
 * Verifies proofs about a tree. A proof that is too long fails even if its beginning gives the root.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2 (inclusion) and #section-2.1.4.2 (consistency)
 */

import { isSameBytes } from '../primitives/bytes.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import type { Sha256 } from './crypto-functions.ts';
import { EMPTY_ROOT, nodeHash, TREE_HASH_BYTES } from './tree-hash.ts';

/** Size and root hash, as a checkpoint states them. */
export interface TreeHead {
  readonly treeSize: number;
  readonly rootHash: Uint8Array;
}

export interface IncludedLeaf {
  readonly index: number;
  /** The hash of the bytes of the entry, see {@link leafHash}. */
  readonly hash: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Verifies that a tree has a leaf at its index.
 *
 * @example
 * const proven = verifyInclusion({ index: 3, hash: leafHash(entry, sha256), proof }, checkpoint, sha256);
 * if (!proven.ok) throw new Error(proven.issues[0].message);
 */
export function verifyInclusion(leaf: IncludedLeaf, head: TreeHead, sha256: Sha256): Result<undefined> {
  const { index, hash, proof } = leaf;
  if (!isCount(index) || !isCount(head.treeSize))
    return refuse('TL-P13', 'Index and size are whole numbers to 2^53 − 1.');
  if (index >= head.treeSize) return refuse('TL-P5', `A log of ${head.treeSize} entries has none at ${index}.`);
  if ([hash, ...proof].some(isNoHash)) return refuse('TL-P5', 'A hash of the proof has not 32 bytes.');

  let [node, last, root] = [index, head.treeSize - 1, hash];
  for (const sibling of proof) {
    if (last === 0) return refuse('TL-P5', 'The proof is too long.');
    if (isOdd(node) || node === last) {
      root = nodeHash(sibling, root, sha256);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, sibling, sha256);
    }
    [node, last] = [half(node), half(last)];
  }
  if (last !== 0) return refuse('TL-P5', 'The proof is too short.');
  if (!isSameBytes(root, head.rootHash)) return refuse('TL-P5', 'The proof leads to another root hash.');
  return accept(undefined);
}

/**
 * Verifies that one tree is the beginning of another. Every tree continues the empty tree, so that needs no proof.
 *
 * @example
 * const proven = verifyConsistency(held, seen, { proof, sha256 });
 * if (!proven.ok) console.error('The log was rewritten:', proven.issues[0].message);
 */
export function verifyConsistency(old: TreeHead, head: TreeHead, by: ConsistencyProof): Result<undefined> {
  const { proof, sha256 } = by;
  if (!isCount(old.treeSize) || !isCount(head.treeSize))
    return refuse('TL-P13', 'Sizes are whole numbers to 2^53 − 1.');
  if (old.treeSize > head.treeSize)
    return refuse('TL-P6', `A log of ${head.treeSize} entries does not go on from ${old.treeSize}.`);
  if ([old.rootHash, head.rootHash, ...proof].some(isNoHash))
    return refuse('TL-P7', 'A hash of the proof has not 32 bytes.');
  if (old.treeSize === 0) return verifyFromEmpty(old, head, proof);
  if (old.treeSize === head.treeSize) {
    if (proof.length > 0) return refuse('TL-P7', 'Between two trees of one size there is nothing to prove.');
    if (isSameBytes(old.rootHash, head.rootHash)) return accept(undefined);
    return refuse('TL-P7', `Two logs of ${head.treeSize} entries have different root hashes.`);
  }

  const [first, ...others] = isPowerOfTwo(old.treeSize) && proof.length > 0 ? [old.rootHash, ...proof] : proof;
  if (first === undefined) return refuse('TL-P7', 'The proof is empty.');
  let [node, last] = [old.treeSize - 1, head.treeSize - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let [oldRoot, root] = [first, first];
  for (const sibling of others) {
    if (last === 0) return refuse('TL-P7', 'The proof is too long.');
    if (isOdd(node) || node === last) {
      oldRoot = nodeHash(sibling, oldRoot, sha256);
      root = nodeHash(sibling, root, sha256);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, sibling, sha256);
    }
    [node, last] = [half(node), half(last)];
  }
  if (last !== 0) return refuse('TL-P7', 'The proof is too short.');
  if (!isSameBytes(oldRoot, old.rootHash))
    return refuse('TL-P7', `The proof leads to another log of ${old.treeSize} entries.`);
  if (!isSameBytes(root, head.rootHash))
    return refuse('TL-P7', `The proof leads to another log of ${head.treeSize} entries.`);
  return accept(undefined);
}

export interface ConsistencyProof {
  readonly proof: readonly Uint8Array[];
  readonly sha256: Sha256;
}

function verifyFromEmpty(old: TreeHead, head: TreeHead, proof: readonly Uint8Array[]): Result<undefined> {
  if (!isSameBytes(old.rootHash, EMPTY_ROOT)) return refuse('TL-P8', 'The empty log has another root hash.');
  if (proof.length > 0) return refuse('TL-P8', 'From an empty log there is nothing to prove.');
  if (head.treeSize === 0 && !isSameBytes(head.rootHash, EMPTY_ROOT)) {
    return refuse('TL-P8', 'The empty log has another root hash.');
  }
  return accept(undefined);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isNoHash({ length }: Uint8Array): boolean {
  return length !== TREE_HASH_BYTES;
}

/** Uses no shifts: shifts in JavaScript are limited to 32 bits. */
function half(value: number): number {
  return Math.floor(value / 2);
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function isPowerOfTwo(value: number): boolean {
  let rest = value;
  while (rest > 1 && !isOdd(rest)) rest /= 2;
  return rest === 1;
}
