import type { Result } from '../primitives/result.ts';
import { type EncodedDocumentLimits, MAX_BYTES, MAX_ENTRIES, type WrittenDocument } from './encode.ts';
import { written } from './issue.ts';
import type { Head, ResourceEntry, ResourceMetadata } from './wire.ts';
import { endText, entryText, headText } from './write-xml.ts';

/** What the times of a closed list add to its head. */
const CLOSING_BYTES = 64;

/**
 * Splits a document so that each part keeps the limits, in the order of the entries. A document that fits stays unchanged.
 *
 * Each part is filled before the next begins, so that entries added at the end change only the last part. Of a Change List, all
 * parts but the last are closed: they state `until`, and the next begins there.
 *
 * @example
 * const lists = splitDocument(changeList, { maxEntries: 1000 });
 * if (lists.ok) console.log(lists.value.map((list, at) => indexEntry(`https://example.com/changes-${at}.xml`, list)));
 */
export function splitDocument(
  document: WrittenDocument,
  limits: EncodedDocumentLimits = {},
): Result<readonly WrittenDocument[]> {
  return written(() => split(document, limits));
}

/** The entry of an index for one of its lists: with the time span of the list, without an end while it is open. */
export function indexEntry(loc: string, { md }: Head<number>): ResourceEntry<number> {
  const { from, until, at, completed } = md;
  const times = {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(at !== undefined && { at }),
    ...(completed !== undefined && { completed }),
  };
  return { loc, md: times, links: [] };
}

function split({ entries, ...head }: WrittenDocument, limits: EncodedDocumentLimits): readonly WrittenDocument[] {
  const parts = splitEntries(head, entries, limits);
  let from = head.md.from;
  return parts.map((part, at) => {
    if (head.capability !== 'changelist' || head.isIndex) return { ...head, entries: part };
    const isLast = at === parts.length - 1;
    const until = isLast ? head.md.until : part.at(-1)?.md.datetime;
    const md = { ...head.md, ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
    from = until;
    return { ...head, md, entries: part };
  });
}

/** Always at least one part, which may be empty. An entry that exceeds the limit by itself becomes a separate part. */
function splitEntries(
  head: Head<number>,
  entries: readonly ResourceEntry<number>[],
  { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES }: EncodedDocumentLimits,
): readonly (readonly ResourceEntry<number>[])[] {
  const room = maxBytes - bytesOf(headText(head, true)) - bytesOf(endText(head.isIndex)) - CLOSING_BYTES;
  if (entries.length <= maxEntries && surelyFits(entries, room)) return [entries];
  const parts: ResourceEntry<number>[][] = [];
  let part: ResourceEntry<number>[] = [];
  let used = 0;
  for (const entry of entries) {
    const bytes = bytesOf(entryText(entry, head.isIndex));
    if (part.length > 0 && (part.length >= maxEntries || used + bytes > room)) {
      parts.push(part);
      part = [];
      used = 0;
    }
    part.push(entry);
    used += bytes;
  }
  return [...parts, part];
}

/** An upper bound for the names, times and numbers of an entry, and for those of a link. */
const OTHER_BYTES = 600;
/** The size of an escaped character. */
const WIDEST_BYTES = 6;

/** Estimates without writing the entries, which would take as long as making the document. */
function surelyFits(entries: readonly ResourceEntry<number>[], room: number): boolean {
  let most = 0;
  for (const { loc, md, links } of entries) {
    most += OTHER_BYTES + WIDEST_BYTES * (loc.length + lettersOf(md) + (md.capability ?? '').length);
    for (const link of links) {
      most += OTHER_BYTES + WIDEST_BYTES * (link.rel.length + link.href.length + lettersOf(link));
    }
    if (most > room) return false;
  }
  return true;
}

function lettersOf({
  hash = '',
  type = '',
  path = '',
  encoding = '',
  title = '',
}: Partial<ResourceMetadata<number>>): number {
  return hash.length + type.length + path.length + encoding.length + title.length;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
