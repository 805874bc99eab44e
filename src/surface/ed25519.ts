/**
 * Detached Ed25519 signatures over the canonical bytes of a payload.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc8032
 */

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** DER headers of a raw public key (RFC 8410 §4) and of a raw seed (§7). */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The y of all points whose order divides 8: with one of them as the key, anybody can make valid signatures. */
const WEAK_KEYS: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);
/** Numbers from the prime of the field on, which are not a valid y (RFC 8032 §5.1.3). */
const BEYOND_PRIME = /^(?:e[d-f]|f.)(?:ff){30}7f$/;

/**
 * Whether the holder of the key signed exactly these bytes. Returns false for keys and signatures of a wrong length.
 *
 * @example
 * const { content, signature } = signPayload({ 'endpoint-id': 'orders-api' }, seed);
 * verifySignature(publicKeyOfSeed(seed), Buffer.from(content), Buffer.from(signature, 'base64url')); // true
 */
export function verifySignature(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = publicKeyOf(publicKey);
  return key !== undefined && signature.length === SIGNATURE_BYTES && verify(null, bytes, key, signature);
}

/** Undefined if the bytes are not a key, or are a key that proves nothing. Creating one costs almost as much as a verification: keep it. */
export function publicKeyOf(raw: Uint8Array): KeyObject | undefined {
  if (raw.length !== KEY_BYTES || isWeak(raw)) return undefined;
  try {
    return createPublicKey({ key: Buffer.concat([SPKI_HEADER, raw]), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function isWeak(raw: Uint8Array): boolean {
  const y = Buffer.from(raw);
  // The highest bit is the sign of x.
  y.writeUInt8(y.readUInt8(KEY_BYTES - 1) & 0x7f, KEY_BYTES - 1);
  const text = y.toString('hex');
  return WEAK_KEYS.has(text) || BEYOND_PRIME.test(text);
}

/** The 64 bytes. `seed` is the private key of RFC 8032 §5.1.5: 32 bytes. */
export function signBytes(seed: Uint8Array, bytes: Uint8Array): Uint8Array {
  return createSigner(seed)(bytes);
}

/** The same for many signatures: creating the key takes longer than signing. */
export function createSigner(seed: Uint8Array): (bytes: Uint8Array) => Uint8Array {
  const key = privateKeyOf(seed);
  return (bytes) => sign(null, bytes, key);
}

/**
 * The public key of a seed: 32 bytes.
 *
 * @example
 * publicKeyOfSeed(new Uint8Array(32)).length; // 32
 */
export function publicKeyOfSeed(seed: Uint8Array): Uint8Array {
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return new Uint8Array(spki.subarray(SPKI_HEADER.length));
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.length !== KEY_BYTES) throw new TypeError(`A seed has ${KEY_BYTES} bytes, not ${seed.length}.`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
}
