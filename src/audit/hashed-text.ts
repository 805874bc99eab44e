import { encodeHex } from '../codecs/primitives/hex.ts';
import { sha256 } from '../tlog/sha256.ts';

/** Shorter texts always fit into an entry. */
const LONG = 10_000;

/** The form in an entry of a text that is too long for it. */
export function hashedText(text: string): string {
  return text.length < LONG ? text : `sha256:${encodeHex(sha256(new TextEncoder().encode(text)))}`;
}
