import { accept, type Result, refuse } from '../codecs/primitives/result.ts';
import { decodeBytes, encodingOf, isKnownEncoding, startOf } from '../codecs/primitives/text-encoding.ts';
import { xmlEncodingIn } from '../codecs/primitives/xml-bytes.ts';

/** Where HTML may name its own encoding. Spec: https://html.spec.whatwg.org/multipage/semantics.html#charset */
const PRESCAN_BYTES = 1024;
/** Browsers look further than they must. So far does a page that is not the UTF-8 we take it for get a second look. */
const SECOND_LOOK_BYTES = 16 * 1024;
const META_CHARSET = /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
const TAG = /<(?:!doctype\s+html|[a-z][a-z0-9-]*)[\s/>]/i;

/**
 * The bytes of a page as text, or why they are not a page.
 *
 * The encoding is the BOM's, else the one the server named, else the one the page names at its start, else UTF-8, else
 * the one the page names later. A server that names one of single bytes is not believed where the page says UTF-8 and is it. Nothing is repaired:
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
 * Whether page and bytes both say UTF-8 against a server that names an encoding of single bytes: letters of those are UTF-8 by no chance.
 * Nodes of one site that do not agree on a header would else make all its umlauts change and change back.
 */
function isUtf8AllTheSame(bytes: Uint8Array, declared: string | undefined, named: string | undefined): boolean {
  return UTF_8.test(declared ?? '') && SINGLE_BYTES.test(named ?? '') && decodes(bytes, { stream: false });
}

const UTF_8 = /^utf-?8$/i;
const SINGLE_BYTES = /^(?:iso-?8859-|latin|windows-125|cp125|(?:us-)?ascii$)/i;

/** What the page itself says in its first bytes; XHTML may do so where XML does. */
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
