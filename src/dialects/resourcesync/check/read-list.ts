import { mediaTypeOf } from '../../../codecs/primitives/seen-document.ts';
import { FORM, LIMIT } from '../../../codecs/resourcesync/issue.ts';
import { INDEXED_CAPABILITIES } from '../../../codecs/resourcesync/wire.ts';
import { checkRoot } from './check-root.ts';
import { explainFlaw, lineAt } from './explain-flaw.ts';
import { type ListContext, type SeenList, tellOf } from './list-context.ts';
import type { ListKind } from './list-kind.ts';
import { ADVICE } from './list-ledger.ts';
import { readRawDocument } from './raw-document.ts';
import type { SiteDocument } from './site-documents.ts';

/** Both are limits of the sitemap protocol. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
const MAX_READ_BYTES = 128 * 1024 * 1024;

/**
 * Reads a document of one kind; undefined if it is not of that kind. Faults of the whole document are reported: its encoding, its
 * XML, its namespaces, its size, its stated capability.
 */
export function readList(
  document: SiteDocument,
  url: string,
  wanted: ListKind,
  context: ListContext,
): SeenList | undefined {
  const { where, bytes } = document;
  const tell = tellOf(document, context);
  checkMediaType(document, context);
  checkPacking(document, context);
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
    const { clause = wanted.clause, line = flaw.line, seen, remedy } = explainFlaw(flaw, text, wanted);
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
  return checkRoot(list, wanted, context) ? list : undefined;
}

function checkMediaType(document: SiteDocument, context: ListContext): void {
  const type = mediaTypeOf(document);
  if (type !== 'text/html' && type !== 'application/json') return;
  const seen = `It is served as ${type}.`;
  const remedy = 'Serve it as application/xml: there are readers that go by the type.';
  context.ledger.note({ clause: FORM, level: 'SHOULD', where: document.where, sort: 'type', seen, remedy });
}

/** Instead of a header, the file name may say how the document is compressed. */
function checkPacking({ where, isUnpacked = false }: SiteDocument, context: ListContext): void {
  if (!isUnpacked || /\.gz(?:[?#]|$)/i.test(where)) return;
  const seen = 'It is compressed with gzip, and neither a header nor its name says so.';
  const remedy = 'Serve it uncompressed, with "Content-Encoding: gzip", or under a name that ends with .gz.';
  context.ledger.note({ clause: FORM, level: 'SHOULD', where, sort: 'gzip', seen, remedy });
}

/** Recognises unreadable formats by the first bytes. */
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
