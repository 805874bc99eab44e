/** Texts of an entry: the entry has their salted hashes; salt and text are kept beside it until they are redacted. */

import { concatBytes } from '../primitives/bytes.ts';
import { decodeHex, encodeHex } from '../primitives/hex.ts';
import type { Sha256 } from './crypto-functions.ts';
import type { HashedTexts } from './entry.ts';

/** What is kept beside an entry. */
export interface SaltedText {
  /** 32 random bytes in lower-case hex, fresh for each field of each change: without them nobody can try out texts. */
  readonly salt: string;
  readonly text: string;
}

export type SaltedTexts = Readonly<Record<string, SaltedText>>;

/** `redacted`: the entry has its hash, but the text is gone. `unknown`: it is given, but the entry has no hash of it. */
export type TextState = 'proven' | 'redacted' | 'altered' | 'unknown';

const SALT_BYTES = 32;

/**
 * `sha256:<hex>` over the raw salt and the text in UTF-8. Undefined for a salt of another length, because salt and text could then
 * be split differently.
 *
 * @example
 * hashText({ salt: '9f86…', text: 'Prices' }, sha256); // 'sha256:3a7b…'
 */
export function hashText({ salt, text }: SaltedText, sha256: Sha256): string | undefined {
  const bytes = decodeHex(salt);
  if (bytes?.length !== SALT_BYTES) return undefined;
  return `sha256:${encodeHex(sha256(concatBytes(bytes, new TextEncoder().encode(text))))}`;
}

/** The hashes of texts for an entry. Throws a RangeError for a salt of another length. */
export function hashTexts(texts: SaltedTexts, sha256: Sha256): HashedTexts {
  return Object.fromEntries(
    Object.entries(texts).map(([field, salted]) => {
      const hash = hashText(salted, sha256);
      if (hash === undefined)
        throw new RangeError(`The salt of ${field} is not ${SALT_BYTES} bytes in lower-case hex.`);
      return [field, hash];
    }),
  );
}

/**
 * The state of each text, by field: of those that the entry names and of those that are given.
 *
 * @example
 * judgeTexts(entry.hashed, receipt.texts, sha256).get('title'); // whether it is the one that was hashed
 */
export function judgeTexts(hashed: HashedTexts, texts: SaltedTexts, sha256: Sha256): ReadonlyMap<string, TextState> {
  const given = new Map(Object.entries(texts));
  const stated = new Map(Object.entries(hashed));
  const states = new Map<string, TextState>();
  for (const field of new Set([...stated.keys(), ...given.keys()])) {
    const text = given.get(field);
    const hash = stated.get(field);
    if (hash === undefined) states.set(field, 'unknown');
    else if (text === undefined) states.set(field, 'redacted');
    else states.set(field, hashText(text, sha256) === hash ? 'proven' : 'altered');
  }
  return states;
}
