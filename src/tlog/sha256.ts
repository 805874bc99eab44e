import { hash } from 'node:crypto';

/** The hash of every tree, entry and file of the provable log. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}
