/**
 * Verifier key: the public half of a key that signs notes, as one line of text.
 *
 *     log.example/.well-known/tidings+4325540f+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4
 *
 * Spec: https://c2sp.org/signed-note#verifier-keys
 */

import { decodeBase64, encodeBase64 } from '../primitives/base64.ts';
import { concatBytes } from '../primitives/bytes.ts';
import { encodeHex } from '../primitives/hex.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import type { Sha256 } from './crypto-functions.ts';
import { isKeyName } from './key-name.ts';

/** What a key signs: the text of a note (a log), or a checkpoint with a time (a witness). */
export type KeyUse = 'log' | 'witness';

export interface VerifierKey {
  readonly name: string;
  readonly use: KeyUse;
  /** 8 lower-case hex digits. 32 bits are too few for a fingerprint: compare whole keys. */
  readonly keyId: string;
  /** The 32 raw bytes. */
  readonly publicKey: Uint8Array;
}

/** The type byte in front of the public key: Ed25519 over the text, and Ed25519 cosignature. */
const TYPE_OF_USE: Readonly<Record<KeyUse, number>> = { log: 0x01, witness: 0x04 };
const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const MAX_CHARACTERS = 1000;

/** Adds the id to a key. Throws a RangeError for a name that no note can contain, or a key of the wrong length. */
export function makeVerifierKey(key: Omit<VerifierKey, 'keyId'>, sha256: Sha256): VerifierKey {
  const { name, use, publicKey } = key;
  if (!isKeyName(name))
    throw new RangeError(`${JSON.stringify(name)} cannot name a key: it is empty, or has a space or a plus sign.`);
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    throw new RangeError(`An Ed25519 public key has 32 bytes, not ${publicKey.length}.`);
  return { name, use, keyId: keyIdOf(key, sha256), publicKey };
}

/**
 * @example
 * encodeVerifierKey(key); // 'docs.example/.well-known/tidings+4325540f+AQOh…'
 */
export function encodeVerifierKey({ name, use, keyId, publicKey }: VerifierKey): string {
  return `${name}+${keyId}+${encodeBase64(typedKey(use, publicKey))}`;
}

/**
 * Decodes a key from its line, without a line end. Refuses a key whose id does not match its name and bytes, and any type except the two that are supported here.
 *
 * @example
 * const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
 * const key = decodeVerifierKey('log.example/.well-known/tidings+4325540f+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4', sha256);
 * if (key.ok) key.value.use; // 'log'
 */
export function decodeVerifierKey(text: string, sha256: Sha256): Result<VerifierKey> {
  if (text.length > MAX_CHARACTERS) return refuse('TL-N13', `A verifier key has at most ${MAX_CHARACTERS} characters.`);
  // The base64 may contain plus signs; the name may not.
  const [, name = '', keyId = '', base64 = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/s.exec(text) ?? [];
  if (base64 === '') return refuse('TL-N13', 'A verifier key is <name>+<8 lower-case hex digits>+<base64>.');
  if (!isKeyName(name)) return refuse('TL-N5', 'The name of a key is not empty and has no space.');
  const bytes = decodeBase64(base64);
  if (bytes === undefined || bytes.length === 0) return refuse('TL-N13', 'The last part is not base64 with padding.');

  const use = useOf(bytes[0]);
  if (use === undefined) return refuse('TL-N14', unsupported(bytes));
  const publicKey = bytes.subarray(1);
  if (publicKey.length !== PUBLIC_KEY_BYTES) {
    return refuse('TL-N14', `An Ed25519 public key has 32 bytes, this one ${publicKey.length}.`);
  }
  const key = { name, use, publicKey };
  if (keyIdOf(key, sha256) !== keyId) return refuse('TL-N13', `The key id ${keyId} is not that of this name and key.`);
  return accept({ ...key, keyId });
}

/** The same name, use and public key. */
export function isSameKey(one: VerifierKey, other: VerifierKey): boolean {
  return encodeVerifierKey(one) === encodeVerifierKey(other);
}

/** The first bytes of SHA-256 over name, LF, type byte and public key. */
function keyIdOf({ name, use, publicKey }: Omit<VerifierKey, 'keyId'>, sha256: Sha256): string {
  const named = concatBytes(new TextEncoder().encode(`${name}\n`), typedKey(use, publicKey));
  return encodeHex(sha256(named).subarray(0, KEY_ID_BYTES));
}

function typedKey(use: KeyUse, publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(TYPE_OF_USE[use]), publicKey);
}

function useOf(type: number | undefined): KeyUse | undefined {
  if (type === TYPE_OF_USE.log) return 'log';
  return type === TYPE_OF_USE.witness ? 'witness' : undefined;
}

function unsupported([type = 0]: Uint8Array): string {
  return `Keys of type 0x${type.toString(16).padStart(2, '0')} are not supported: only Ed25519 of a log (0x01) and of a witness (0x04).`;
}
