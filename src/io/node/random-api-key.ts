import { randomBytes } from 'node:crypto';
import { makeApiKey } from '../../hub/keys/api-key.ts';

/** A new API key, from the random numbers of the operating system. */
export function randomApiKey(): string {
  return makeApiKey(randomBytes);
}
