/**
 * API keys (DiffDelta §10): `dd_live_` and 32 characters of base62, about 190 bits.
 *
 *     dd_live_9fK2mXb7Qw4ZtR1LcY8sVnE3HjP6uD0a
 */

import { hash } from 'node:crypto';
import type { ApiKeyRecord } from './api-key-store.ts';

const BEGIN = 'dd_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARACTERS = 32;
const SHOWN_CHARACTERS = 4;
const FORM = /^dd_live_[0-9A-Za-z]{32}$/;
/** The largest multiple of 62 in a byte. What is above it would make the first characters likelier than the others. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** A new key out of a source of random bytes. */
export function makeApiKey(random: (size: number) => Uint8Array): string {
  let secret = '';
  while (secret.length < SECRET_CHARACTERS) {
    for (const byte of random(SECRET_CHARACTERS)) {
      if (byte < FAIR_BYTES && secret.length < SECRET_CHARACTERS) secret += ALPHABET[byte % ALPHABET.length];
    }
  }
  return BEGIN + secret;
}

export function isApiKey(text: string): boolean {
  return FORM.test(text);
}

/** All that is ever kept of a key (DD-U10). */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Enough for people to recognise a key, too little to use it. */
export function shownPartOf(key: string): string {
  return key.slice(0, BEGIN.length + SHOWN_CHARACTERS);
}

/** What is kept of a new key. */
export function apiKeyRecord(key: string, facts: Omit<ApiKeyRecord, 'hash' | 'prefix'>): ApiKeyRecord {
  return { hash: hashApiKey(key), prefix: shownPartOf(key), ...facts };
}
