import { accept, type Result, refuse } from '../primitives/result.ts';
import { type Checkpoint, decodeCheckpoint } from './checkpoint.ts';
import type { VerifySignature } from './crypto-functions.ts';
import { decodeSignedNote, type SignedNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';
import { type NoteSigner, verifySignedNote } from './verify-note.ts';

export interface OpenCheckpointOptions {
  /** The log that it must belong to. */
  readonly origin: string;
  /** The trusted keys of this log. At least one of them must have signed. */
  readonly logKeys: readonly VerifierKey[];
  /** The known witnesses. An invalid line of one refuses the checkpoint, a missing one does not: see {@link countWitnesses}. */
  readonly witnessKeys?: readonly VerifierKey[];
  readonly verifySignature: VerifySignature;
}

/** A checkpoint that the log signed. */
export interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: SignedNote;
  /** Signers of the log, and known witnesses. */
  readonly signers: readonly NoteSigner[];
}

/**
 * Opens a checkpoint from the bytes of its signed note: it must be well formed, signed by a trusted key of the log, and belong to
 * that log.
 *
 * @example
 * const opened = openCheckpoint(bytes, { origin: key.name, logKeys: [key], verifySignature });
 * if (opened.ok) opened.value.checkpoint.treeSize; // 7
 */
export function openCheckpoint(bytes: Uint8Array, options: OpenCheckpointOptions): Result<OpenedCheckpoint> {
  const { origin, logKeys, witnessKeys = [], verifySignature } = options;
  const misused = [...logKeys.filter(isWitness), ...witnessKeys.filter((key) => !isWitness(key))];
  if (misused[0] !== undefined) {
    return refuse('TL-N14', `The key ${misused[0].name} is of a ${misused[0].use}, and is given as the other.`);
  }
  const note = decodeSignedNote(bytes);
  if (!note.ok) return note;
  const signers = verifySignedNote(note.value, [...logKeys, ...witnessKeys], verifySignature);
  if (!signers.ok) return signers;
  if (signers.value.every(({ key }) => isWitness(key))) {
    return refuse('TL-N10', `Witnesses signed it, and no trusted key of the log ${origin}.`);
  }
  const checkpoint = decodeCheckpoint(note.value.text);
  if (!checkpoint.ok) return checkpoint;
  if (checkpoint.value.origin !== origin) {
    return refuse('TL-C3', `It is of the log "${checkpoint.value.origin.slice(0, 200)}", not of "${origin}".`);
  }
  return accept({ checkpoint: checkpoint.value, note: note.value, signers: signers.value });
}

function isWitness({ use }: VerifierKey): boolean {
  return use === 'witness';
}
