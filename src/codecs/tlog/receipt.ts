/**
 * Receipt: everything needed to prove an entry of a log, offline and years later.
 *
 *     {"entry":"{\"action\":\"update\",…}","texts":{"title":{"salt":"9f86…","text":"Prices"}},"index":3,
 *      "proof":["BJ19zbVrz+vTEzBMmDnxlqPUtu873AsIKY+TrIGR8Kg="],"checkpoint":"log.example/.well-known/tidings\n7\n…","vkey":"log.example/.well-known/tidings+4325540f+AQOh…"}
 *
 * Only entry, index, proof and checkpoint prove each other. Texts are proven by their hashes in the entry; the key alone proves
 * nothing.
 */

import { encodeBase64 } from '../primitives/base64.ts';
import { findJsonFlaw } from '../primitives/json-flaw.ts';
import { isRecord } from '../primitives/json-record.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { MAX_ENTRY_BYTES } from './entry-bundle.ts';
import type { SaltedTexts } from './hashed-text.ts';
import { decodeProofLines } from './proof-lines.ts';
import { MAX_NOTE_BYTES } from './signed-note.ts';

export interface Receipt {
  /** The exact text that was hashed, not its JSON written again. */
  readonly entry: string;
  /** Without redacted ones. */
  readonly texts: SaltedTexts;
  readonly index: number;
  readonly proof: readonly Uint8Array[];
  /** The signed note. */
  readonly checkpoint: string;
  /** The verifier key of the log according to the receipt: see {@link verifyReceipt}. */
  readonly vkey: string;
}

const MAX_RECEIPT_CHARACTERS = 16 * 1024 * 1024;
const MAX_DEPTH = 8;
const MAX_TEXTS = 64;

/**
 * On one line, with its line end.
 *
 * @example
 * await writeFile('receipt.json', encodeReceipt({ entry, texts, index: 3, proof, checkpoint, vkey }));
 */
export function encodeReceipt({ entry, texts, index, proof, checkpoint, vkey }: Receipt): string {
  const wellFormed = Object.entries(texts).map(([field, { salt, text }]) => [
    field,
    { salt, text: text.toWellFormed() },
  ]);
  return `${JSON.stringify({ entry, texts: Object.fromEntries(wellFormed), index, proof: proof.map(encodeBase64), checkpoint, vkey })}\n`;
}

/**
 * Decodes a receipt without verifying anything. Unknown fields are ignored.
 *
 * @example
 * const receipt = decodeReceipt(await readFile('receipt.json', 'utf8'));
 * if (receipt.ok) receipt.value.index; // 3
 */
export function decodeReceipt(json: string): Result<Receipt> {
  if (json.length > MAX_RECEIPT_CHARACTERS)
    return refuse('TL-P10', `It has more than ${MAX_RECEIPT_CHARACTERS} characters.`);
  const value = parsed(json);
  if (!isRecord(value)) return refuse('TL-P10', typeof value === 'string' ? value : 'It is no JSON object.');
  const { entry, texts = {}, index, proof, checkpoint, vkey } = value;
  if (typeof entry !== 'string' || entry.length > MAX_ENTRY_BYTES)
    return refuse('TL-P10', 'Its entry is no text of at most 65,535 bytes.');
  if (typeof checkpoint !== 'string' || checkpoint.length > MAX_NOTE_BYTES)
    return refuse('TL-P10', 'Its checkpoint is no signed note.');
  // Half of a surrogate pair has no UTF-8, so it would be hashed as something else.
  if (!(entry + checkpoint).isWellFormed()) return refuse('TL-P10', 'Its entry or its checkpoint is no Unicode text.');
  if (typeof vkey !== 'string') return refuse('TL-P10', 'It has no vkey.');
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    return refuse('TL-P10', 'Its index is no place in a log.');
  const hashes =
    Array.isArray(proof) && proof.every((hash) => typeof hash === 'string') ? decodeProofLines(proof) : undefined;
  if (hashes === undefined) return refuse('TL-P10', 'Its proof is no list of at most 63 hashes in base64.');
  if (!isSaltedTexts(texts)) return refuse('TL-P12', 'Its texts are not { field: { salt, text } }.');
  return accept({ entry, texts, index, proof: hashes, checkpoint, vkey });
}

/** A string that says what is wrong, if it is not valid JSON. */
function parsed(json: string): unknown {
  const flaw = findJsonFlaw(json, MAX_DEPTH);
  if (flaw !== undefined)
    return flaw.is === 'deep' ? 'It is nested too deep.' : `It says ${flaw.at.slice(0, 100)} twice.`;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return 'It is no JSON.';
  }
}

function isSaltedTexts(value: unknown): value is SaltedTexts {
  if (!isRecord(value) || Object.keys(value).length > MAX_TEXTS) return false;
  return Object.values(value).every(
    (each) =>
      isRecord(each) && typeof each.salt === 'string' && typeof each.text === 'string' && each.text.isWellFormed(),
  );
}
