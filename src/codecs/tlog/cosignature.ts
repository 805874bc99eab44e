/**
 * Cosignature: a witness states that, at a given time, a checkpoint was the largest consistent one that it had seen. It signs the
 * text of the checkpoint after a header:
 *
 *     cosignature/v1
 *     time 1700000000
 *     log.example/.well-known/tidings
 *     7
 *     kTlgHMHKirKnoMLBNMBIRfKxulSag9bIRc/NpDnMWF0=
 *
 * In the signature line, the time comes before the 64 bytes of Ed25519, as 8 bytes. Spec: https://c2sp.org/tlog-cosignature
 */

import { concatBytes } from '../primitives/bytes.ts';
import type { SignMessage } from './crypto-functions.ts';
import type { NoteSignature } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

export interface Cosignature {
  /** Seconds since 1970. */
  readonly time: bigint;
  /** The 64 bytes of Ed25519. */
  readonly signature: Uint8Array;
}

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const MAX_TIME = 2n ** 63n - 1n;

/** The bytes that a witness signs: all lines of the checkpoint, including extension lines. */
export function cosignedMessage(textBytes: Uint8Array, time: bigint): Uint8Array {
  return concatBytes(new TextEncoder().encode(`cosignature/v1\ntime ${time}\n`), textBytes);
}

/** Undefined for another length and for a time beyond 2^63 − 1. */
export function decodeCosignature(bytes: Uint8Array): Cosignature | undefined {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return time > MAX_TIME ? undefined : { time, signature: bytes.subarray(TIME_BYTES) };
}

/**
 * The signature line of a witness for the text of a checkpoint. `sign` must use a key that signs nothing else.
 *
 * @example
 * const line = cosign(witnessKey, { textBytes: note.textBytes, time: 1_793_880_000n }, sign);
 */
export function cosign(key: VerifierKey, { textBytes, time }: CosignedText, sign: SignMessage): NoteSignature {
  if (key.use !== 'witness') throw new RangeError(`The key ${key.name} is of a log: it cannot cosign.`);
  if (time <= 0n || time > MAX_TIME) throw new RangeError(`A cosignature cannot say the time ${time}.`);
  const signature = concatBytes(new Uint8Array(TIME_BYTES), sign(cosignedMessage(textBytes, time)));
  new DataView(signature.buffer).setBigUint64(0, time);
  return { name: key.name, keyId: key.keyId, signature };
}

export interface CosignedText {
  readonly textBytes: Uint8Array;
  readonly time: bigint;
}
