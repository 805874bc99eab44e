import { TextDecoder } from 'node:util';
import { accept, type Result, refuse } from '../codecs/primitives/result.ts';

/** Where HTML may name its own encoding. Spec: https://html.spec.whatwg.org/multipage/semantics.html#charset */
const PRESCAN_BYTES = 1024;
/** Browsers look further than they must. So far does a page that is not the UTF-8 we take it for get a second look. */
const SECOND_LOOK_BYTES = 16 * 1024;
const META_CHARSET = /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
/** XHTML may name its encoding where XML does. */
const XML_ENCODING = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i;
const TAG = /<(?:!doctype\s+html|[a-z][a-z0-9-]*)[\s/>]/i;

/**
 * The bytes of a page as text, or why they are not a page.
 *
 * The encoding is the BOM's, else the one the server named, else the one the page names at its start, else UTF-8, else
 * the one the page names later. Nothing is repaired:
 * a replacement character would be a change that nobody made.
 */
export function decodeHtml(bytes: Uint8Array, charsetHint?: string): Result<string> {
  const text = decodeText(bytes, charsetHint);
  if (!text.ok || TAG.test(text.value)) return text;
  return refuse('HTML', 'It is not HTML: there is no tag in it.');
}

/** The same for a text that is no HTML, such as Markdown. */
export function decodeText(bytes: Uint8Array, charsetHint?: string): Result<string> {
  if (bytes.length === 0) return refuse('HTML', 'It is empty.');
  const named = encodingOf(bytes, charsetHint);
  const encoding = named ?? 'utf-8';
  const decoder = decoderFor(encoding);
  if (decoder === undefined) return refuse('HTML', `It is in the encoding "${encoding}", which cannot be read here.`);

  const text = decodeWith(decoder, bytes) ?? (named === undefined ? decodeAsNamedLate(bytes) : undefined);
  if (text === undefined) return refuse('HTML', describeBadBytes(bytes, encoding));
  if (text.trim() === '') return refuse('HTML', 'It is empty but for white space.');
  const nul = text.indexOf('\0');
  if (nul !== -1) return refuse('HTML', `It is not text: character ${nul} is NUL.`);
  return accept(text);
}

function encodingOf(bytes: Uint8Array, charsetHint: string | undefined): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (charsetHint !== undefined && decoderFor(charsetHint) !== undefined) return charsetHint;
  return namedWithin(bytes, PRESCAN_BYTES);
}

/** What the page itself says in its first bytes. */
function namedWithin(bytes: Uint8Array, maxBytes: number): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxBytes)).toString('latin1');
  const named = (META_CHARSET.exec(start)?.[1] ?? XML_ENCODING.exec(start)?.[1])?.toLowerCase();
  // A page that names UTF-16 in ASCII bytes cannot be in UTF-16.
  return named?.startsWith('utf-16') ? 'utf-8' : named;
}

function decodeAsNamedLate(bytes: Uint8Array): string | undefined {
  const decoder = decoderFor(namedWithin(bytes, SECOND_LOOK_BYTES) ?? 'utf-8');
  return decoder && decodeWith(decoder, bytes);
}

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return withoutC1(decoder.decode(bytes), decoder.encoding);
  } catch {
    return undefined;
  }
}

function decoderFor(encoding: string): TextDecoder | undefined {
  try {
    return new TextDecoder(encoding.trim(), { fatal: true });
  } catch {
    return undefined;
  }
}

/** The characters of windows-1252 at 0x80–0x9F; a byte without one stands for the control character of its number. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/**
 * Some decoders read windows-1252, and what the web calls by that name, as ISO-8859-1, where these bytes are controls.
 *
 * Spec: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
 */
function withoutC1(text: string, encoding: string): string {
  if (encoding !== 'windows-1252') return text;
  return text.replace(/[\x80-\x9F]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

function describeBadBytes(bytes: Uint8Array, encoding: string): string {
  if (encoding.toLowerCase().replace('-', '') !== 'utf8') return `Its bytes are not valid ${encoding}.`;
  return `Its bytes are not valid UTF-8: the first bad one is at offset ${badUtf8Offset(bytes)}. Save it as UTF-8, or name its encoding in <meta charset>.`;
}

/** Where the first character begins that is not UTF-8. */
function badUtf8Offset(bytes: Uint8Array): number {
  // The longest prefix that decodes when a cut character at its end is forgiven, found by halving …
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = Math.floor((good + bad + 1) / 2);
    if (decodes(bytes.subarray(0, middle), { stream: true })) good = middle;
    else bad = middle - 1;
  }
  // … and then without the cut character.
  while (good > 0 && !decodes(bytes.subarray(0, good), { stream: false })) good -= 1;
  return good;
}

function decodes(prefix: Uint8Array, options: { readonly stream: boolean }): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(prefix, options);
    return true;
  } catch {
    return false;
  }
}
