import { decodeBase64, encodeBase64 } from '../primitives/base64.ts';
import { TREE_HASH_BYTES } from './tree-hash.ts';

/** No proof about a tree of fewer than 2^63 entries has more. */
export const MAX_PROOF_HASHES = 63;

/** One hash in base64 per line, each with its line end. */
export function encodeProofLines(proof: readonly Uint8Array[]): string {
  return proof.map((hash) => `${encodeBase64(hash)}\n`).join('');
}

/** Undefined if a line is not strict base64 of 32 bytes, or if there are too many. */
export function decodeProofLines(lines: readonly string[]): readonly Uint8Array[] | undefined {
  if (lines.length > MAX_PROOF_HASHES) return undefined;
  const hashes = lines.flatMap((line) => decodeBase64(line) ?? []);
  return hashes.length === lines.length && hashes.every(({ length }) => length === TREE_HASH_BYTES)
    ? hashes
    : undefined;
}
