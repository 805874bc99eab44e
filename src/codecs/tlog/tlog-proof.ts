/**
 * Transparency log proof: an index, an inclusion proof and the signed checkpoint that it leads to, as text.
 *
 *     c2sp.org/tlog-proof@v1
 *     index 3
 *     BJ19zbVrz+vTEzBMmDnxlqPUtu873AsIKY+TrIGR8Kg=
 *     LyelCCwdQq+kiKw1Cp/EOQwIT1T3Hs3/hZ6Y24QptHk=
 *
 *     log.example/.well-known/tidings
 *     4
 *     …
 *
 * Spec: https://c2sp.org/tlog-proof
 */

import { decodeBase64, encodeBase64 } from '../primitives/base64.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { decodeCount } from './count.ts';
import { splitHeadedNote } from './headed-note.ts';
import { decodeProofLines, encodeProofLines, MAX_PROOF_HASHES } from './proof-lines.ts';
import { MAX_NOTE_BYTES } from './signed-note.ts';

export interface TlogProof {
  /** Added by the writer of the proof and signed by nobody. */
  readonly extra?: Uint8Array;
  readonly index: number;
  readonly proof: readonly Uint8Array[];
  /** The bytes of the signed checkpoint. */
  readonly note: Uint8Array;
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
const MAX_EXTRA_BYTES = 1_000_000;
const MAX_BYTES = MAX_NOTE_BYTES + 2 * MAX_EXTRA_BYTES;

/**
 * @example
 * encodeTlogProof({ index: 3, proof }, note); // 'c2sp.org/tlog-proof@v1\nindex 3\n…'
 */
export function encodeTlogProof({ extra, index, proof }: Omit<TlogProof, 'note'>, note: string): string {
  const extraLine = extra === undefined ? '' : `extra ${encodeBase64(extra)}\n`;
  return `${FIRST_LINE}\n${extraLine}index ${index}\n${encodeProofLines(proof)}\n${note}`;
}

/**
 * Verifies nothing: open the checkpoint with keys that you trust, then verify the inclusion of the entry.
 *
 * @example
 * const decoded = decodeTlogProof(bytes);
 * if (decoded.ok) decoded.value.index; // 3
 */
export function decodeTlogProof(bytes: Uint8Array): Result<TlogProof> {
  if (bytes.length > MAX_BYTES) return refuse('TL-P11', `It has more than ${MAX_BYTES} bytes.`);
  const split = splitHeadedNote(bytes);
  if (split === undefined) return refuse('TL-P11', 'No empty line stands before the checkpoint.');
  const [first, ...rest] = split.lines;
  if (first !== FIRST_LINE) return refuse('TL-P11', `The first line is not ${FIRST_LINE}.`);
  const hasExtra = rest[0]?.startsWith('extra ') ?? false;
  const extra = hasExtra ? decodeBase64(rest[0]?.slice('extra '.length) ?? '') : undefined;
  if (hasExtra && extra === undefined) return refuse('TL-P11', 'The extra data is no base64 with padding.');
  const [indexLine = '', ...hashes] = hasExtra ? rest.slice(1) : rest;
  const index = indexLine.startsWith('index ') ? decodeCount(indexLine.slice('index '.length)) : undefined;
  if (index === undefined)
    return refuse('TL-P11', 'No line "index <decimal>" without leading zeros is where it must be.');
  if (!Number.isSafeInteger(index)) return refuse('TL-P13', 'The index cannot be counted here.');
  const proof = decodeProofLines(hashes);
  if (proof === undefined)
    return refuse('TL-P11', `The proof is not at most ${MAX_PROOF_HASHES} lines of 32 bytes in base64.`);
  return accept({ ...(extra !== undefined && { extra }), index, proof, note: split.note });
}
