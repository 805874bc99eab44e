import { accept, type Result, refuse } from '../codecs/primitives/result.ts';
import { decodeBytes, encodingOf, isKnownEncoding, startOf } from '../codecs/primitives/text-encoding.ts';
import { xmlEncodingIn } from '../codecs/primitives/xml-bytes.ts';

/** Where HTML may name its own encoding. Spec: https://html.spec.whatwg.org/multipage/semantics.html#charset */
const PRESCAN_BYTES = 1024;
/** Browsers look further than they must. A page that is not valid UTF-8 is searched this far in a second attempt. */
const SECOND_LOOK_BYTES = 16 * 1024;
const META_CHARSET = /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
const TAG = /<(?:!doctype\s+html|[a-z][a-z0-9-]*)[\s/>]/i;

/**
 * Decodes the bytes of a page, or says why they are not a page.
 *
 * The encoding is that of the BOM, else the one the server named, else the one the page names at its start, else UTF-8, else the one the page names later. A
 * single-byte encoding from the server is ignored if the page declares UTF-8 and is valid UTF-8. Nothing is repaired: a replacement character would be a change
 * that nobody made.
 */
export function decodeHtml(bytes: Uint8Array, charsetHint?: string): Result<string> {
  const text = decodeText(bytes, charsetHint);
  if (!text.ok || TAG.test(text.value)) return text;
  return refuse('HTML', 'It is not HTML: there is no tag in it.');
}

/** The same for a text other than HTML, such as Markdown. */
export function decodeText(bytes: Uint8Array, charsetHint?: string): Result<string> {
  if (bytes.length === 0) return refuse('HTML', 'It is empty.');
  const declared = namedWithin(bytes, PRESCAN_BYTES);
  const named = encodingOf(bytes, { charset: charsetHint, declared });
  const encoding = isUtf8AllTheSame(bytes, declared, named) ? 'utf-8' : (named ?? 'utf-8');
  if (!isKnownEncoding(encoding))
    return refuse('HTML', `It is in the encoding "${encoding}", which cannot be read here.`);

  const text = decodeBytes(bytes, encoding) ?? (named === undefined ? decodeAsNamedLate(bytes) : undefined);
  if (text === undefined) return refuse('HTML', describeBadBytes(bytes, encoding));
  if (text.trim() === '') return refuse('HTML', 'It is empty but for white space.');
  const nul = text.indexOf('\0');
  if (nul !== -1) return refuse('HTML', `It is not text: character ${nul} is NUL.`);
  return accept(text);
}

/**
 * Whether the page declares UTF-8 and is valid UTF-8, against a server that names a single-byte encoding: text in such an encoding is not valid UTF-8 by
 * chance. Otherwise servers of one site with different headers would make all its umlauts change back and forth.
 */
function isUtf8AllTheSame(bytes: Uint8Array, declared: string | undefined, named: string | undefined): boolean {
  return UTF_8.test(declared ?? '') && SINGLE_BYTES.test(named ?? '') && decodes(bytes, { stream: false });
}

const UTF_8 = /^utf-?8$/i;
const SINGLE_BYTES = /^(?:iso-?8859-|latin|windows-125|cp125|(?:us-)?ascii$)/i;

/** The encoding that the page names in its first bytes. XHTML may name it in the XML declaration. */
function namedWithin(bytes: Uint8Array, maxBytes: number): string | undefined {
  const start = startOf(bytes, maxBytes);
  return (META_CHARSET.exec(start)?.[1] ?? xmlEncodingIn(start))?.toLowerCase();
}

function decodeAsNamedLate(bytes: Uint8Array): string | undefined {
  const named = encodingOf(bytes, { declared: namedWithin(bytes, SECOND_LOOK_BYTES) });
  return named && decodeBytes(bytes, named);
}

function describeBadBytes(bytes: Uint8Array, encoding: string): string {
  if (encoding.toLowerCase().replace('-', '') !== 'utf8') return `Its bytes are not valid ${encoding}.`;
  return `Its bytes are not valid UTF-8: the first bad one is at offset ${badUtf8Offset(bytes)}. Save it as UTF-8, or name its encoding in <meta charset>.`;
}

/** The offset of the first character that is not UTF-8. */
function badUtf8Offset(bytes: Uint8Array): number {
  // A binary search for the longest prefix that decodes if a truncated character at its end is tolerated …
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = Math.floor((good + bad + 1) / 2);
    if (decodes(bytes.subarray(0, middle), { stream: true })) good = middle;
    else bad = middle - 1;
  }
  // … and then without the truncated character.
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
