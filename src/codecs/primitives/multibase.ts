/**
 * Bytes as text whose first character names the encoding: `u…` base64url, `z…` base58btc, `f…` hexadecimal.
 *
 * Spec: https://www.w3.org/TR/cid-1.0/#multibase-0, https://github.com/multiformats/multibase
 */

import { decodeBase64url } from './base64url.ts';

/** Groups of bits, most significant first. `padTo` is the multiple that padding fills up. */
interface BitBase {
  readonly alphabet: string;
  readonly bits: number;
  readonly padTo?: number;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HEX = '0123456789abcdefghijklmnopqrstuv';
const BASE64 = `${UPPER}${LOWER}0123456789+/`;
const BASE64URL = `${UPPER}${LOWER}0123456789-_`;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const BIT_BASES: ReadonlyMap<string, BitBase> = new Map([
  ['f', { alphabet: HEX.slice(0, 16), bits: 4 }],
  ['F', { alphabet: HEX.slice(0, 16).toUpperCase(), bits: 4 }],
  ['b', { alphabet: `${LOWER}234567`, bits: 5 }],
  ['B', { alphabet: `${UPPER}234567`, bits: 5 }],
  ['c', { alphabet: `${LOWER}234567`, bits: 5, padTo: 8 }],
  ['C', { alphabet: `${UPPER}234567`, bits: 5, padTo: 8 }],
  ['v', { alphabet: HEX, bits: 5 }],
  ['V', { alphabet: HEX.toUpperCase(), bits: 5 }],
  ['m', { alphabet: BASE64, bits: 6 }],
  ['M', { alphabet: BASE64, bits: 6, padTo: 4 }],
  ['U', { alphabet: BASE64URL, bits: 6, padTo: 4 }],
]);

/** The digits of one large number, starting with zero. */
const NUMBER_BASES: ReadonlyMap<string, string> = new Map([
  ['z', BASE58],
  ['Z', '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'],
  ['k', `0123456789${LOWER}`],
  ['K', `0123456789${UPPER}`],
]);

/** Reading a large number takes quadratic time. A key has 32 bytes. */
const MAX_CHARACTERS = 1024;

/** The bytes, or the reason why they cannot be read. Only the canonical spelling of each base is accepted. */
export function decodeMultibase(text: string): Uint8Array | string {
  if (text === '') return 'it is empty';
  if (text.length > MAX_CHARACTERS) return `it has more than ${MAX_CHARACTERS} characters`;
  const prefix = text.charAt(0);
  const rest = text.slice(1);
  const bitBase = BIT_BASES.get(prefix);
  const digits = NUMBER_BASES.get(prefix);
  if (!bitBase && !digits && prefix !== 'u') return `its multibase prefix "${prefix}" is not known`;
  const bytes = bitBase ? decodeBits(rest, bitBase) : digits ? decodeNumber(rest, digits) : decodeBase64url(rest);
  return bytes ?? `it does not follow the encoding that its prefix "${prefix}" names`;
}

function decodeBits(text: string, { alphabet, bits, padTo }: BitBase): Uint8Array | undefined {
  const bare = text.replace(/=+$/, '');
  const padding = padTo === undefined ? 0 : (padTo - (bare.length % padTo)) % padTo;
  if (text.length !== bare.length + padding) return undefined;
  const bytes = new Uint8Array(Math.floor((bare.length * bits) / 8));
  let length = 0;
  let heldBits = 0;
  let held = 0;
  for (const character of bare) {
    const value = alphabet.indexOf(character);
    if (value === -1) return undefined;
    held = ((held << bits) | value) & 0xffff;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes[length] = (held >> heldBits) & 255;
    length += 1;
  }
  const isCanonical = heldBits < bits && (held & ((1 << heldBits) - 1)) === 0;
  return isCanonical ? bytes : undefined;
}

/** Each leading zero digit is a zero byte, as in Bitcoin. */
function decodeNumber(text: string, digits: string): Uint8Array | undefined {
  let zeros = 0;
  while (text.startsWith(digits.charAt(0), zeros)) zeros += 1;
  const reversed: number[] = [];
  for (const character of text.slice(zeros)) {
    let carry = digits.indexOf(character);
    if (carry === -1) return undefined;
    for (let at = 0; at < reversed.length; at += 1) {
      carry += (reversed[at] ?? 0) * digits.length;
      reversed[at] = carry & 255;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) reversed.push(carry & 255);
  }
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...reversed.reverse()]);
}
