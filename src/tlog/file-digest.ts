import { hash } from 'node:crypto';

/** SHA-256 in hex, as entries about files have it. */
export function fileDigest(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}
