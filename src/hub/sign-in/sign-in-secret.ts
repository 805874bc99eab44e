import { createHmac } from 'node:crypto';

/**
 * A secret that every process of a hub derives in the same way, so that a form or sign-in begun at one of them can end at any other. It cannot be derived
 * without the hash of the hub's token.
 */
export function signInSecret(adminHash: string, purpose: 'form' | 'visit'): Uint8Array {
  return createHmac('sha256', adminHash).update(`tidings sign-in ${purpose}`).digest();
}
