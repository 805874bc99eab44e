import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** An opaque token of 256 bits, in hex. */
export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

const EPOCH_BYTES = 4;

/** Eight hexadecimal digits that no other epoch of the same log has. */
export function randomEpoch(): string {
  return randomBytes(EPOCH_BYTES).toString('hex');
}

const NONCE_BYTES = 16;

/** A text that nobody has had before. */
export function randomNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

/** Bytes that nobody can guess: for secrets. */
export function randomSecretBytes(size: number): Uint8Array {
  return randomBytes(size);
}
