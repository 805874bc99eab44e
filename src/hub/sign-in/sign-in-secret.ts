import { createHmac } from 'node:crypto';

/**
 * A secret that every process of a hub makes the same way: a form or a sign-in that one of them began ends at any other. Nobody knows it who does not
 * know the hash of the hub's token.
 */
export function signInSecret(adminHash: string, purpose: 'form' | 'visit'): Uint8Array {
  return createHmac('sha256', adminHash).update(`tidings sign-in ${purpose}`).digest();
}
