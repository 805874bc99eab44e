import { mediaTypeOf } from '../../../codecs/primitives/seen-document.ts';
import { FORM, LIMIT } from '../../../codecs/resourcesync/issue.ts';
import {
  type Capability,
  INDEXED_CAPABILITIES,
  RS_NAMESPACE,
  SITEMAP_NAMESPACE,
  XLINK_NAMESPACE,
} from '../../../codecs/resourcesync/wire.ts';
import { type Bench, type SeenList, tellOf } from './bench.ts';
import { checkRoot } from './check-root.ts';
import { ADVICE } from './fault-book.ts';
import type { LibraryDocument } from './library.ts';
import { type RawFlaw, readRawDocument } from './raw-document.ts';

/** Both are the limits of sitemaps. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
const MAX_READ_BYTES = 128 * 1024 * 1024;

export interface Wanted {
  readonly capability: Capability;
  /** The clause that is broken where there is no such document at all. */
  readonly clause: string;
  /** How the document is called. */
  readonly title: string;
  /** Whether it may be an index. One that an index lists may not. */
  readonly mayBeIndex: boolean;
}

/**
 * A document of one kind, or undefined where it is none. Whatever is wrong with it as a whole is booked: its encoding, its XML, its
 * namespaces, its size, what it says that it is.
 */
export function readList(document: LibraryDocument, url: string, wanted: Wanted, bench: Bench): SeenList | undefined {
  const { where, bytes } = document;
  const tell = tellOf(document, bench);
  checkMediaType(document, bench);
  checkPacking(document, bench);
  if (bytes.length > MAX_BYTES) {
    const seen = `It has ${bytes.length} bytes, where ${MAX_BYTES} are the most.`;
    const split = INDEXED_CAPABILITIES.has(wanted.capability)
      ? 'Split it up, with an index of the parts.'
      : 'Make it smaller.';
    tell(undefined, { clause: LIMIT, sort: 'bytes', seen, remedy: split });
  }
  if (bytes.length > MAX_READ_BYTES) return undefined;
  const refuse = (line: number | undefined, seen: string, remedy: string): undefined => {
    tell(line, { clause: wanted.clause, level: 'MUST', sort: 'form', seen, remedy });
  };
  const form = formOf(bytes);
  if (form !== undefined) return refuse(undefined, form.seen, form.remedy);
  const { text, badLine } = decoded(bytes);
  if (badLine !== undefined) {
    const seen = 'It is not UTF-8: this line holds bytes that no character has.';
    tell(badLine, { clause: FORM, sort: 'utf-8', seen, remedy: 'Save the file as UTF-8.' });
  }
  if (text.startsWith('\ufeff')) {
    const seen = 'It begins with a byte order mark, which some readers stumble over.';
    tell(1, { clause: ADVICE, sort: 'bom', seen, remedy: 'Save the file as UTF-8 without a byte order mark.' });
  }
  const { head, flaw } = readRawDocument(text);
  if (flaw !== undefined) {
    const { clause = wanted.clause, line = flaw.line, seen, remedy } = explain(flaw, text, wanted);
    tell(line, { clause, level: 'MUST', sort: 'form', seen, remedy });
    return undefined;
  }
  if (head === undefined) return refuse(1, 'It is empty.', `Write a ${wanted.title} there.`);
  if (head.entryCount > MAX_ENTRIES) {
    const seen = `It has ${head.entryCount} entries, where ${MAX_ENTRIES} are the most.`;
    tell(head.root.line, { clause: LIMIT, sort: 'entries', seen, remedy: 'Split it up, with an index of the parts.' });
  }
  const isIndex = head.root.local === 'sitemapindex';
  const list = { where, url, text, head, isIndex };
  return checkRoot(list, wanted, bench) ? list : undefined;
}

function checkMediaType(document: LibraryDocument, bench: Bench): void {
  const type = mediaTypeOf(document);
  if (type !== 'text/html' && type !== 'application/json') return;
  const seen = `It is served as ${type}.`;
  const remedy = 'Serve it as application/xml: there are readers that go by the type.';
  bench.book.note({ clause: FORM, level: 'SHOULD', where: document.where, sort: 'type', seen, remedy });
}

/** The name of a file may say how it is packed, in place of a header. */
function checkPacking({ where, isUnpacked = false }: LibraryDocument, bench: Bench): void {
  if (!isUnpacked || /\.gz(?:[?#]|$)/i.test(where)) return;
  const seen = 'It is compressed with gzip, and neither a header nor its name says so.';
  const remedy = 'Serve it uncompressed, with "Content-Encoding: gzip", or under a name that ends with .gz.';
  bench.book.note({ clause: FORM, level: 'SHOULD', where, sort: 'gzip', seen, remedy });
}

/** What the first bytes give away. */
function formOf(bytes: Uint8Array): { readonly seen: string; readonly remedy: string } | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b) {
    const seen = 'It is gzip that is damaged, or that unpacks to more than a document may have.';
    return { seen, remedy: 'Compress it anew, or serve it uncompressed.' };
  }
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0) {
    return { seen: 'It is UTF-16, which is not read.', remedy: 'Save the file as UTF-8.' };
  }
  return undefined;
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly badLine?: number } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return { text, badLine: lineAt(text, text.indexOf('\ufffd')) };
  }
}

function lineAt(text: string, at: number): number {
  return (text.slice(0, at).match(/\r\n?|\n/g)?.length ?? 0) + 1;
}

const HTML = /^[\ufeff\s]*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)[\s>]/i;

interface Explanation {
  readonly clause?: string;
  /** Where it is not where the reading ended. */
  readonly line?: number;
  readonly seen: string;
  readonly remedy: string;
}

function explain({ message, line }: RawFlaw, text: string, { title }: Wanted): Explanation {
  if (HTML.test(text.slice(0, 1000))) {
    const remedy = `Serve the XML of the ${title} there; servers often answer with a page where a file is missing.`;
    return { line: 1, seen: 'It is an HTML page and no XML document.', remedy };
  }
  if (text.trim() === '') return { line: 1, seen: 'It is empty.', remedy: `Write a ${title} there.` };
  if (!/^[\ufeff\s]*</.test(text.slice(0, 1000))) {
    const remedy = `Write a ${title} there, with the root <urlset xmlns="${SITEMAP_NAMESPACE}" …>.`;
    return { line: 1, seen: 'It is no XML.', remedy };
  }
  const ampersand = bareAmpersand(text);
  if (ampersand !== undefined && ampersand <= line) {
    const seen = `It is not well-formed XML: there is an & that begins nothing. There stands: ${quotedLine(text, ampersand)}`;
    return { line: ampersand, seen, remedy: 'Write &amp; for every &, also in addresses.' };
  }
  const quoted = quotedLine(text, line);
  const seen = quoted === '' ? message : `${message} There stands: ${quoted}`;
  const undeclared = /the prefix "([^"]+)" is not declared/.exec(message)?.[1];
  if (undeclared !== undefined) {
    const uri = undeclared === 'xlink' ? XLINK_NAMESPACE : RS_NAMESPACE;
    return { clause: 'RS-S2', seen, remedy: `Add xmlns:${undeclared}="${uri}" to the first element.` };
  }
  if (/DOCTYPE/.test(message)) return { clause: FORM, seen, remedy: 'Take the DOCTYPE out: readers refuse it.' };
  if (/only UTF-8/.test(message)) {
    return { clause: FORM, seen, remedy: 'Save it as UTF-8, and write <?xml version="1.0" encoding="UTF-8"?>' };
  }
  return { seen, remedy: 'Make it well-formed XML: what stands there, or shortly before, is where it ceases to be.' };
}

const REFERENCE = /^&(?:#\d+|#x[\da-f]+|[\w.-]+);/i;
const MAX_REFERENCE = 64;

/** The line of an & that begins no reference. Those in comments and CDATA are none. */
function bareAmpersand(text: string): number | undefined {
  const opening = /<!--|<!\[CDATA\[|&/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const { 0: found, index } = match;
    if (found === '&') {
      if (!REFERENCE.test(text.slice(index, index + MAX_REFERENCE))) return lineAt(text, index);
      continue;
    }
    const end = text.indexOf(found === '<!--' ? '-->' : ']]>', index);
    if (end === -1) return undefined;
    opening.lastIndex = end;
  }
  return undefined;
}

const MAX_QUOTED = 120;

function quotedLine(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return '';
    start = end + 1;
  }
  const quoted = text.slice(start, start + 10 * MAX_QUOTED).split(/[\r\n]/, 1)[0] ?? '';
  return quoted.trim().slice(0, MAX_QUOTED).toWellFormed();
}
