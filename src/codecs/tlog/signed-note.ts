/**
 * Signed note: a text, an empty line, and signatures of it.
 *
 *     log.example/.well-known/tidings
 *     7
 *     kTlgHMHKirKnoMLBNMBIRfKxulSag9bIRc/NpDnMWF0=
 *
 *     — log.example/.well-known/tidings QyVUD44KdjuHL9Q0d2vRk31TVA3/wv2oAatuRpsz5O6Lh882uaeDh3+5Mk+60SqMmBkyebbDA2TIxxEuoJmh7tiPZAw=
 *
 * Spec: https://c2sp.org/signed-note
 */

import { decodeBase64, encodeBase64 } from '../primitives/base64.ts';
import { concatBytes, lastEmptyLine } from '../primitives/bytes.ts';
import { decodeHex, encodeHex } from '../primitives/hex.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { isKeyName } from './key-name.ts';

export interface NoteSignature {
  readonly name: string;
  /** 8 lower-case hex digits. */
  readonly keyId: string;
  /** The bytes after the key id: 64 for a log, 72 for a witness, any other number for an unknown key. */
  readonly signature: Uint8Array;
}

export interface SignedNote {
  /** With its last LF, without the empty line. */
  readonly text: string;
  /** The text as received: the bytes that signatures cover. */
  readonly textBytes: Uint8Array;
  /** At least one. Nothing is verified. */
  readonly signatures: readonly NoteSignature[];
}

export const MAX_NOTE_BYTES = 1_000_000;
const MAX_SIGNATURES = 100;
const KEY_ID_BYTES = 4;
const LF = 0x0a;
const FIRST_PRINTABLE = 0x20;
const DASH = '\u2014 ';

/**
 * Decodes a note without verifying anything. Refuses instead of repairing: two spellings of one note would be two pieces of
 * evidence.
 *
 * @example
 * const note = decodeSignedNote(await readFile('checkpoint'));
 * if (note.ok) note.value.signatures.map(({ name }) => name); // ['log.example/.well-known/tidings']
 */
export function decodeSignedNote(bytes: Uint8Array): Result<SignedNote> {
  if (bytes.length === 0) return refuse('TL-N1', 'There is nothing in it: a note has a text and a signature.');
  if (bytes.length > MAX_NOTE_BYTES) return refuse('TL-N11', `A note has at most ${MAX_NOTE_BYTES} bytes.`);
  if (bytes.some((byte) => byte < FIRST_PRINTABLE && byte !== LF)) {
    return refuse('TL-N4', 'A note has no control characters but line feeds.');
  }
  const whole = decodeUtf8(bytes);
  if (whole === undefined) return refuse('TL-N4', 'It is not UTF-8.');

  const split = lastEmptyLine(bytes);
  if (split === -1) return refuse('TL-N1', 'No empty line separates a text from its signatures.');
  if (split + 2 === bytes.length) return refuse('TL-N1', 'No signature follows the last empty line.');
  if (bytes.at(-1) !== LF) return refuse('TL-N1', 'The last line does not end.');
  const signatures = decodeSignatureLines(whole.slice(whole.lastIndexOf('\n\n') + 2));
  if (!signatures.ok) return signatures;
  const textBytes = bytes.subarray(0, split + 1);
  return accept({ text: whole.slice(0, whole.lastIndexOf('\n\n') + 1), textBytes, signatures: signatures.value });
}

/** Only signature lines, each with its line end: the end of a note, or the answer of a witness. */
export function decodeSignatureLines(block: string): Result<readonly NoteSignature[]> {
  if (!block.endsWith('\n')) return refuse('TL-N1', 'The last signature line does not end.');
  const lines = block.split('\n', MAX_SIGNATURES + 2).slice(0, -1);
  if (lines.length > MAX_SIGNATURES) return refuse('TL-N11', `A note has at most ${MAX_SIGNATURES} signatures.`);
  const signatures: NoteSignature[] = [];
  for (const [at, line] of lines.entries()) {
    const signature = decodeLine(line, at + 1);
    if (!signature.ok) return signature;
    signatures.push(signature.value);
  }
  return accept(signatures);
}

/** Throws a RangeError for anything that {@link decodeSignedNote} would refuse. */
export function encodeSignedNote(text: string, signatures: readonly NoteSignature[]): string {
  const note = `${text}\n${signatures.map(encodeSignatureLine).join('')}`;
  const decoded = decodeSignedNote(new TextEncoder().encode(note));
  if (!decoded.ok) throw new RangeError(`This is no note: ${decoded.issues[0].message}`);
  if (decoded.value.text !== text) throw new RangeError('A note keeps its text as it is: this one is not well formed.');
  return note;
}

/** With its line end. */
export function encodeSignatureLine({ name, keyId, signature }: NoteSignature): string {
  const id = decodeHex(keyId);
  if (id?.length !== KEY_ID_BYTES) throw new RangeError(`"${keyId}" is no key id of 8 lower-case hex digits.`);
  if (!isKeyName(name)) throw new RangeError(`${JSON.stringify(name)} cannot name a key.`);
  return `${DASH}${name} ${encodeBase64(concatBytes(id, signature))}\n`;
}

function decodeLine(line: string, number: number): Result<NoteSignature> {
  const [name = '', base64 = '', ...more] = line.startsWith(DASH) ? line.slice(DASH.length).split(' ') : [];
  if (base64 === '' || more.length > 0) {
    return refuse('TL-N3', `Signature line ${number} is not "\u2014 <name> <base64>" with single spaces.`);
  }
  if (!isKeyName(name)) return refuse('TL-N5', `Signature line ${number} names its key with a space or a plus sign.`);
  const bytes = decodeBase64(base64);
  if (bytes === undefined || bytes.length <= KEY_ID_BYTES) {
    return refuse('TL-N6', `Signature line ${number} does not hold a key id and a signature in base64 with padding.`);
  }
  return accept({ name, keyId: encodeHex(bytes.subarray(0, KEY_ID_BYTES)), signature: bytes.subarray(KEY_ID_BYTES) });
}

/** Keeps a byte order mark, because it is part of what was signed. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
