import { isSameBytes } from '../primitives/bytes.ts';
import { accept, type Result } from '../primitives/result.ts';
import { decodeAddCheckpoint } from './add-checkpoint.ts';
import { type Checkpoint, decodeCheckpointForm, hasPossibleRoot } from './checkpoint.ts';
import type { Sha256, VerifySignature } from './crypto-functions.ts';
import { decodeSignedNote, type SignedNote } from './signed-note.ts';
import { EMPTY_ROOT } from './tree-hash.ts';
import type { VerifierKey } from './verifier-key.ts';
import { verifySignedNote } from './verify-note.ts';
import { type TreeHead, verifyConsistency } from './verify-proof.ts';

/** A log that a witness is configured for. */
export interface WitnessedLog {
  readonly origin: string;
  readonly keys: readonly VerifierKey[];
  /** The last head that it cosigned; absent if there is none. */
  readonly head?: TreeHead;
}

export interface WitnessPorts {
  readonly logAt: (origin: string) => WitnessedLog | undefined;
  readonly sha256: Sha256;
  readonly verifySignature: VerifySignature;
}

export type CheckpointVerdict =
  /** May be cosigned if the stored head is still the one it was judged by when the new one is stored: one atomic step. */
  | { readonly status: 200; readonly checkpoint: Checkpoint; readonly note: SignedNote }
  /** `size` is the last cosigned size: the body of the answer, with a line end. */
  | { readonly status: 409; readonly size: number; readonly reason: string }
  /** Signed by the log, but contradicts what it signed before, or itself: evidence. */
  | { readonly status: 422; readonly checkpoint: Checkpoint; readonly note: SignedNote; readonly reason: string }
  | { readonly status: 400 | 403 | 404; readonly reason: string };

/**
 * The answer of a witness to add-checkpoint. Checked in this order: form, origin, signature, old size against new, old size against
 * the stored one, proof.
 *
 * Spec: https://c2sp.org/tlog-witness#add-checkpoint
 *
 * @example
 * const verdict = judgeCheckpoint(body, { logAt, sha256, verifySignature }); // what a witness answers, and whether it cosigns
 */
export function judgeCheckpoint(body: Uint8Array, { logAt, sha256, verifySignature }: WitnessPorts): CheckpointVerdict {
  const request = decodeRequest(body);
  if (!request.ok) return { status: 400, reason: request.issues[0].message };
  const { oldSize, proof, note, checkpoint } = request.value;
  const log = logAt(checkpoint.origin);
  if (log === undefined) return { status: 404, reason: 'This witness does not know the log.' };
  const signers = verifySignedNote(note, log.keys, verifySignature);
  if (!signers.ok) return { status: 403, reason: signers.issues[0].message };
  if (oldSize > checkpoint.treeSize) return { status: 400, reason: 'The old size is larger than the new one.' };
  const stored = log.head ?? { treeSize: 0, rootHash: EMPTY_ROOT };
  if (oldSize !== stored.treeSize) {
    return { status: 409, size: stored.treeSize, reason: `This witness cosigned size ${stored.treeSize} last.` };
  }
  if (!hasPossibleRoot(checkpoint))
    return { status: 422, checkpoint, note, reason: 'An empty log has another root hash.' };
  const consistent = verifyConsistency(stored, checkpoint, { proof, sha256 });
  if (!consistent.ok) return { status: 422, checkpoint, note, reason: consistent.issues[0].message };
  return { status: 200, checkpoint, note };
}

/** Whether a head is the one that a verdict is based on. The atomic step compares this. */
export function isSameHead(one: TreeHead | undefined, other: TreeHead | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.treeSize === other.treeSize && isSameBytes(one.rootHash, other.rootHash);
}

interface WitnessRequest {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
}

function decodeRequest(body: Uint8Array): Result<WitnessRequest> {
  const request = decodeAddCheckpoint(body);
  if (!request.ok) return request;
  const note = decodeSignedNote(request.value.note);
  if (!note.ok) return note;
  const checkpoint = decodeCheckpointForm(note.value.text);
  if (!checkpoint.ok) return checkpoint;
  return accept({ ...request.value, note: note.value, checkpoint: checkpoint.value });
}
