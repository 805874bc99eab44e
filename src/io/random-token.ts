import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** An opaque token of 256 bits, in hex. */
export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}
