/**
 * How bytes from the web become text: the byte order mark decides, then the charset of the server, then that of the document.
 *
 * Spec: https://encoding.spec.whatwg.org/
 */

export interface EncodingHints {
  /** `charset` of the Content-Type. An unknown one is ignored. */
  readonly charset?: string | undefined;
  /** The label in the first bytes of the document. */
  readonly declared?: string | undefined;
}

/** A label that is readable as ASCII cannot be in UTF-16. */
const UTF_16 = /^(?:utf-?16|unicode(?:fe..)?$|ucs-?2|csunicode|iso-10646)/i;
/** A label that the standard replaces with another one if a document names it. */
const USER_DEFINED = /^x-user-defined$/i;

/** The label of the encoding of a text; undefined if nothing names one. */
export function encodingOf(bytes: Uint8Array, { charset, declared }: EncodingHints): string | undefined {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return marked;
  if (charset !== undefined && isKnownEncoding(charset)) return charset.trim();
  if (declared === undefined) return undefined;
  if (UTF_16.test(declared)) return 'utf-8';
  return USER_DEFINED.test(declared) ? 'windows-1252' : declared;
}

export function isKnownEncoding(label: string): boolean {
  return decoderFor(label) !== undefined;
}

/** Undefined if the bytes are invalid in this encoding, or it is not supported. The mark is not part of the text. */
export function decodeBytes(bytes: Uint8Array, label: string): string | undefined {
  const decoder = decoderFor(label, { fatal: true });
  if (decoder === undefined) return undefined;
  try {
    return corrected(decoder.decode(bytes), decoder.encoding);
  } catch {
    return undefined;
  }
}

/** Like {@link decodeBytes}, with U+FFFD for invalid bytes, and as UTF-8 for an unknown label. */
export function decodeLossily(bytes: Uint8Array, label: string): string {
  const decoder = decoderFor(label) ?? new TextDecoder();
  return corrected(decoder.decode(bytes), decoder.encoding);
}

/** The first bytes as characters of one byte each. A document may name its encoding there. */
export function startOf(bytes: Uint8Array, maxBytes: number): string {
  return String.fromCharCode(...bytes.subarray(0, maxBytes));
}

/** By its mark, or by the first characters of an XML declaration in UTF-16 without a mark. */
function markedEncoding([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0x3c && second === 0 && third === 0x3f && fourth === 0) return 'utf-16le';
  return first === 0 && second === 0x3c && third === 0 && fourth === 0x3f ? 'utf-16be' : undefined;
}

function decoderFor(
  label: string,
  options: { readonly fatal?: boolean } = {},
): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label.trim(), options);
  } catch {
    return undefined;
  }
}

/** The characters of windows-1252 at 0x80–0x9F; a byte without one stands for the control character of its number. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/**
 * Platform decoders read windows-1252, and what the web calls so, as ISO-8859-1, where these bytes are controls. They also read
 * KOI8-U without the Belarusian letters.
 *
 * Spec: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
 */
function corrected(text: string, encoding: string): string {
  if (encoding === 'koi8-u') return text.replaceAll('\u255D', '\u045E').replaceAll('\u256C', '\u040E');
  if (encoding !== 'windows-1252') return text;
  return text.replace(/[\x80-\x9F]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}
