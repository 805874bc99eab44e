/**
 * The secret key of a witness, as one line of text. The form is that of Go's tools for notes:
 *
 *     PRIVATE+KEY+witness.example/w1+20324abe+BCAhIiMk…
 *
 * Spec: https://pkg.go.dev/golang.org/x/mod/sumdb/note
 */

import { decodeBase64, encodeBase64 } from '../codecs/primitives/base64.ts';
import { accept, type Result, refuse } from '../codecs/primitives/result.ts';
import type { SignMessage } from '../codecs/tlog/crypto-functions.ts';
import { makeVerifierKey, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { createSigner, publicKeyOfSeed } from '../surface/ed25519.ts';
import { NOTE_CRYPTO } from '../surface/note-crypto.ts';

/** A key that can sign. */
export interface WitnessKey {
  readonly key: VerifierKey;
  readonly sign: SignMessage;
}

const SEED_BYTES = 32;
/** Ed25519 cosignature. */
const TYPE = 0x04;

/** `seed`: 32 random bytes. Throws a RangeError for a name that a note cannot contain. */
export function encodeWitnessKey(name: string, seed: Uint8Array): string {
  const { keyId } = verifierKeyOf(name, seed);
  return `PRIVATE+KEY+${name}+${keyId}+${encodeBase64(Uint8Array.of(TYPE, ...seed))}`;
}

/** No message quotes any part of the text. */
export function decodeWitnessKey(text: string): Result<WitnessKey> {
  const [, name = '', keyId = '', base64 = ''] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = decodeBase64(base64);
  if (bytes?.[0] !== TYPE || bytes.length !== 1 + SEED_BYTES) {
    return refuse('TL-S1', 'it is not the secret key of a witness.');
  }
  const seed = bytes.subarray(1);
  const key = verifierKeyOf(name, seed);
  if (key.keyId !== keyId) return refuse('TL-N13', 'its key id is not that of its name and its key: it is damaged.');
  return accept({ key, sign: createSigner(seed) });
}

function verifierKeyOf(name: string, seed: Uint8Array): VerifierKey {
  return makeVerifierKey({ name, use: 'witness', publicKey: publicKeyOfSeed(seed) }, NOTE_CRYPTO.sha256);
}
