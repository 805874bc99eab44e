/**
 * Checkpoint: the head of an append-only log, as the text of a signed note.
 *
 *     log.example/.well-known/tidings
 *     7
 *     kTlgHMHKirKnoMLBNMBIRfKxulSag9bIRc/NpDnMWF0=
 *
 * It has no time. Spec: https://c2sp.org/tlog-checkpoint
 */

import { decodeBase64, encodeBase64 } from '../primitives/base64.ts';
import { isSameBytes } from '../primitives/bytes.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { decodeCount } from './count.ts';
import { EMPTY_ROOT, TREE_HASH_BYTES } from './tree-hash.ts';

export interface Checkpoint {
  /** The identity of the log: an opaque string, compared exactly. */
  readonly origin: string;
  readonly treeSize: number;
  /** The 32 raw bytes, not their base64 text. */
  readonly rootHash: Uint8Array;
}

/** Three lines, none of them an extension. */
export function encodeCheckpoint({ origin, treeSize, rootHash }: Checkpoint): string {
  const text = `${origin}\n${treeSize}\n${encodeBase64(rootHash)}\n`;
  const decoded = decodeCheckpoint(text);
  if (!decoded.ok) throw new RangeError(`This is no checkpoint: ${decoded.issues[0].message}`);
  if (decoded.value.origin !== origin) throw new RangeError('An origin is one line.');
  return text;
}

/**
 * Refuses instead of repairing: a signature covers these exact bytes. Lines after the third are tolerated and ignored.
 *
 * @example
 * const checkpoint = decodeCheckpoint(note.text);
 * if (checkpoint.ok) checkpoint.value.treeSize; // 7
 */
export function decodeCheckpoint(text: string): Result<Checkpoint> {
  const checkpoint = decodeCheckpointForm(text);
  if (!checkpoint.ok || hasPossibleRoot(checkpoint.value)) return checkpoint;
  return refuse('TL-C6', 'An empty log has the root hash of nothing (47DEQpj8HBSa…), this one has another.');
}

/** The same without checking the root hash of an empty log: a witness has its own answer to a wrong one. */
export function decodeCheckpointForm(text: string): Result<Checkpoint> {
  if (!text.endsWith('\n')) return refuse('TL-C1', 'The last line does not end.');
  const [origin = '', size, root, ...extensions] = text.slice(0, -1).split('\n');
  if (origin === '') return refuse('TL-C1', 'The first line must name the log.');
  if (size === undefined || root === undefined) return refuse('TL-C1', 'It has fewer than three lines.');
  const treeSize = decodeCount(size);
  if (treeSize === undefined) return refuse('TL-C4', `${shown(size)} is no decimal tree size.`);
  if (!Number.isSafeInteger(treeSize))
    return refuse('TL-P13', `A tree of ${shown(size)} entries cannot be counted here.`);
  const rootHash = decodeBase64(root);
  if (rootHash?.length !== TREE_HASH_BYTES) return refuse('TL-C5', 'The root hash is not 32 bytes of base64.');
  if (extensions.includes('')) return refuse('TL-C7', 'A line behind the third is empty.');
  return accept({ origin, treeSize, rootHash });
}

/** Whether a tree of this size can have this root: an empty tree has only one. */
export function hasPossibleRoot({ treeSize, rootHash }: Checkpoint): boolean {
  return treeSize > 0 || isSameBytes(rootHash, EMPTY_ROOT);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 30));
}
