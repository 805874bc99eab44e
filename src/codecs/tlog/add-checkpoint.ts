/**
 * The request of a log to a witness: to cosign a checkpoint that extends the last one it saw.
 *
 *     old 3
 *     BJ19zbVrz+vTEzBMmDnxlqPUtu873AsIKY+TrIGR8Kg=
 *     5CnFtcyqlSPDcpfxhGdm+QMTfoIZXFGZ5r5XEw0QBsg=
 *
 *     log.example/.well-known/tidings
 *     7
 *     kTlgHMHKirKnoMLBNMBIRfKxulSag9bIRc/NpDnMWF0=
 *
 *     — log.example/.well-known/tidings QyVUD44K…
 *
 * Spec: https://c2sp.org/tlog-witness
 */

import { accept, type Result, refuse } from '../primitives/result.ts';
import { decodeCount } from './count.ts';
import { splitHeadedNote } from './headed-note.ts';
import { decodeProofLines, encodeProofLines, MAX_PROOF_HASHES } from './proof-lines.ts';
import { decodeSignatureLines, MAX_NOTE_BYTES, type NoteSignature } from './signed-note.ts';

export interface AddCheckpoint {
  /** The last size that the witness cosigned; 0 if none. */
  readonly oldSize: number;
  /** Proves that the old tree is the beginning of the new one. */
  readonly proof: readonly Uint8Array[];
  /** The bytes of the signed checkpoint. */
  readonly note: Uint8Array;
}

export const MAX_ADD_CHECKPOINT_BYTES = MAX_NOTE_BYTES + 100 + MAX_PROOF_HASHES * 45;

/** The media type of a 409 that states the current size of the witness. */
export const TREE_SIZE_TYPE = 'text/x.tlog.size';

/**
 * @example
 * const body = encodeAddCheckpoint(old.treeSize, proof, note); // 'old 5\n…'
 * await fetch('https://witness.example/add-checkpoint', { method: 'POST', body });
 */
export function encodeAddCheckpoint(oldSize: number, proof: readonly Uint8Array[], note: string): string {
  return `old ${oldSize}\n${encodeProofLines(proof)}\n${note}`;
}

/**
 * Does not check whether the old size exceeds the new one: the checkpoint is neither decoded nor verified.
 *
 * @example
 * const request = decodeAddCheckpoint(bytes);
 * if (request.ok) request.value.oldSize; // 5
 */
export function decodeAddCheckpoint(bytes: Uint8Array): Result<AddCheckpoint> {
  if (bytes.length > MAX_ADD_CHECKPOINT_BYTES)
    return refuse('TL-W2', `It has more than ${MAX_ADD_CHECKPOINT_BYTES} bytes.`);
  const split = splitHeadedNote(bytes);
  if (split === undefined) return refuse('TL-W1', 'No empty line stands before the checkpoint.');
  const [first = '', ...hashes] = split.lines;
  const oldSize = first.startsWith('old ') ? decodeCount(first.slice(4)) : undefined;
  if (oldSize === undefined)
    return refuse('TL-W2', 'The first line is not "old <size>" in decimal, without leading zeros.');
  if (!Number.isSafeInteger(oldSize)) return refuse('TL-P13', 'The old size cannot be counted here.');
  const proof = decodeProofLines(hashes);
  if (proof === undefined)
    return refuse('TL-W2', `The proof is not at most ${MAX_PROOF_HASHES} lines of 32 bytes in base64.`);
  return accept({ oldSize, proof, note: split.note });
}

/** The HTTP answer of a witness. */
export interface WitnessResponse {
  readonly status: number;
  readonly contentType?: string;
  readonly body: Uint8Array;
}

export type WitnessAnswer =
  /** Nothing is verified: use only lines of witnesses that you trust, over your own checkpoint. */
  | { readonly is: 'cosigned'; readonly signatures: readonly NoteSignature[] }
  /** It cosigned this size last: ask again from there. If that is larger than ours, part of our log is lost. */
  | { readonly is: 'at-size'; readonly size: number }
  | { readonly is: 'refused'; readonly status: number; readonly reason: string };

const REASONS: Readonly<Record<number, string>> = {
  400: 'It does not understand the request.',
  403: 'It does not know the key of this log, or this log.',
  404: 'It does not know this log.',
  422: 'It holds that the log was rewritten.',
};

/**
 * Decodes the answer of a witness. Older witnesses mix up some statuses, but all of them mean that it did not cosign.
 *
 * @example
 * const answer = decodeWitnessAnswer({ status: 409, contentType: 'text/x.tlog.size', body }); // the size at which the witness is
 */
export function decodeWitnessAnswer({ status, contentType = '', body }: WitnessResponse): WitnessAnswer {
  const text = new TextDecoder().decode(body.subarray(0, MAX_NOTE_BYTES + 1));
  if (status === 200) {
    const signatures = body.length > MAX_NOTE_BYTES ? refuse('TL-W7', 'It is too long.') : decodeSignatureLines(text);
    if (signatures.ok) return { is: 'cosigned', signatures: signatures.value };
    return { is: 'refused', status, reason: `Its answer is no signature: ${signatures.issues[0].message}` };
  }
  if (status === 409 && contentType.split(';')[0]?.trim().toLowerCase() === TREE_SIZE_TYPE && text.endsWith('\n')) {
    const size = decodeCount(text.slice(0, -1));
    if (size !== undefined && Number.isSafeInteger(size)) return { is: 'at-size', size };
  }
  return { is: 'refused', status, reason: REASONS[status] ?? `It answered with status ${status}.` };
}
