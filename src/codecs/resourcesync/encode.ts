import type { Result } from '../primitives/result.ts';
import { checkWritten } from './check-written.ts';
import { DocumentFlaw, LIMIT, written } from './issue.ts';
import type { Head, ResourceEntry } from './wire.ts';
import { endText, entryText, hasTitles, headText } from './write-xml.ts';

/** The limits of the sitemap protocol, and so of ResourceSync, for one document. */
export interface EncodedDocumentLimits {
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

export const MAX_ENTRIES = 50_000;
export const MAX_BYTES = 50 * 1024 * 1024;

/** Everything in a document; times are milliseconds since 1970. */
export interface WrittenDocument extends Head<number> {
  readonly entries: readonly ResourceEntry<number>[];
}

/**
 * The text of a document of any kind. The same values always give the same bytes, in UTF-8 and with times in UTC. Refuses what its
 * kind does not allow, what XML cannot hold, and what exceeds the limits; for the latter use `splitDocument`.
 *
 * @example
 * const xml = encodeResourceSync({
 *   capability: 'changelist',
 *   isIndex: false,
 *   md: { from: Date.UTC(2022, 0, 1) },
 *   links: [{ rel: 'up', href: 'https://example.com/capabilitylist.xml' }],
 *   entries: [{ loc: 'https://example.com/a', md: { change: 'updated', datetime: Date.UTC(2022, 10, 6) }, links: [] }],
 * });
 * if (xml.ok) console.log(xml.value);
 */
export function encodeResourceSync(document: WrittenDocument, limits: EncodedDocumentLimits = {}): Result<string> {
  const { entries, ...head } = document;
  const { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = limits;
  return written(() => {
    if (entries.length > maxEntries)
      throw new DocumentFlaw(LIMIT, `It has ${entries.length} entries, over ${maxEntries}.`);
    checkWritten(head, entries);
    const texts = entries.map((entry) => entryText(entry, head.isIndex));
    const text = `${headText(head, hasTitles(head, entries))}${texts.join('')}${endText(head.isIndex)}`;
    // A UTF-16 unit takes at most three bytes.
    const bytes = text.length * 3 <= maxBytes ? 0 : new TextEncoder().encode(text).length;
    if (bytes > maxBytes) throw new DocumentFlaw(LIMIT, `It is ${bytes} bytes large, over ${maxBytes}.`);
    return text;
  });
}

/** A document whose kind is given by the function name. */
export type WrittenContent = Omit<WrittenDocument, 'capability' | 'isIndex'>;

/** Each entry is a Capability List with a `describes` link to its collection. */
export function encodeSourceDescription(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'description', isIndex: false }, limits);
}

export function encodeSourceDescriptionIndex(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'description', isIndex: true }, limits);
}

/** With an `up` link to the Source Description, a `describes` link to the collection, and exactly one entry `changelist`. */
export function encodeCapabilityList(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'capabilitylist', isIndex: false }, limits);
}

/** With an `up` link to the Capability List. Entries say what changed and when, the oldest first. */
export function encodeChangeList(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'changelist', isIndex: false }, limits);
}

/** Each entry states `from`, and also `until` if the list is closed. */
export function encodeChangeListIndex(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'changelist', isIndex: true }, limits);
}

export function encodeResourceList(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'resourcelist', isIndex: false }, limits);
}

export function encodeResourceListIndex(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'resourcelist', isIndex: true }, limits);
}

/** Entries are ZIP packages. */
export function encodeResourceDump(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'resourcedump', isIndex: false }, limits);
}

/** The `manifest.xml` of a package; entries state the `path` of their file there. */
export function encodeResourceDumpManifest(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'resourcedump-manifest', isIndex: false }, limits);
}

/** Entries are ZIP packages. */
export function encodeChangeDump(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'changedump', isIndex: false }, limits);
}

/** The `manifest.xml` of a package; entries that are not deleted state the `path` of their file there. */
export function encodeChangeDumpManifest(content: WrittenContent, limits?: EncodedDocumentLimits): Result<string> {
  return encodeResourceSync({ ...content, capability: 'changedump-manifest', isIndex: false }, limits);
}
