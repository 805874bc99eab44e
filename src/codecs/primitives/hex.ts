const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as lower-case hexadecimal digits, two per byte. */
export function encodeHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/** Undefined for upper case, an odd length and other characters: each byte sequence has exactly one text. */
export function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    const [high, low] = [digitOf(text.charCodeAt(2 * at)), digitOf(text.charCodeAt(2 * at + 1))];
    if (high < 0 || low < 0) return undefined;
    bytes[at] = high * 16 + low;
  }
  return bytes;
}

/** The value of one digit; -1 if it is not a digit. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}
