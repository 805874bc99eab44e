import { accept, type LineIssue, type Result, refuse } from '../primitives/result.ts';
import type { Expected } from './document-head.ts';
import { DocumentReading, type ReadingLimits } from './document-reading.ts';
import type { DocumentProblem } from './issue.ts';
import type { ReadEntry } from './read-entry.ts';
import type { TimeSpan } from './time-span.ts';
import type { ChangeKind, Head } from './wire.ts';

/** A document that was read completely. */
export interface DecodedDocument<E extends ReadEntry = ReadEntry> extends Head<TimeSpan> {
  readonly entries: readonly E[];
  /** The first hundred problems. */
  readonly problems: readonly DocumentProblem[];
}

/** An entry of a Change List: it always says what happened and when. */
export interface ChangeEntry extends ReadEntry {
  readonly md: ReadEntry['md'] & { readonly change: ChangeKind; readonly datetime: TimeSpan };
}

const MAX_PROBLEMS = 100;
/** The parser gets this much at a time, so that it never sees what it should not read. */
const PIECE = 32 * 1024;

/**
 * Decodes any document that fits into memory as text. For larger ones use `readResourceSync`.
 *
 * @example
 * const document = decodeResourceSync(text, { capability: 'changelist' });
 * if (document.ok) console.log(document.value.isIndex, document.value.entries.length);
 */
export function decodeResourceSync(text: string, options: Expected & ReadingLimits = {}): Result<DecodedDocument> {
  if (!text.isWellFormed()) return refuse('RESOURCESYNC-FORM', 'Line 1: it holds half of a surrogate pair.');
  const reading = new DocumentReading(options, options);
  const entries: ReadEntry[] = [];
  const problems: DocumentProblem[] = [];
  let head: Head<TimeSpan> | undefined;
  let refusal: LineIssue | undefined;
  const collect = () => {
    for (const part of reading.take()) {
      if (part.kind === 'entry') entries.push(part.entry);
      else if (part.kind === 'document') head = part.document;
      else if (part.kind === 'refused') refusal = part.issue;
      else if (problems.length < MAX_PROBLEMS) problems.push(part.problem);
    }
  };
  for (let at = 0; at < text.length && !reading.isOver; at += PIECE) {
    reading.write(text.slice(at, at + PIECE));
    collect();
  }
  reading.end();
  collect();
  if (refusal !== undefined) return refuse(refusal.clause, `Line ${refusal.line}: ${refusal.message}`);
  if (head === undefined) throw new Error('A document that is not refused has a head.');
  return accept({ ...head, entries, problems });
}

/** Each entry is the Capability List of a collection, which its `describes` link names. */
export function decodeSourceDescription(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'description', isIndex: false });
}

export function decodeSourceDescriptionIndex(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'description', isIndex: true });
}

/** Its `describes` link names the collection; the entry with the capability `changelist` leads to the changes. */
export function decodeCapabilityList(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'capabilitylist', isIndex: false });
}

export function decodeChangeList(text: string): Result<DecodedDocument<ChangeEntry>> {
  const list = decodeResourceSync(text, { capability: 'changelist', isIndex: false });
  return list.ok ? accept({ ...list.value, entries: list.value.entries.filter(isChangeEntry) }) : list;
}

export function decodeChangeListIndex(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'changelist', isIndex: true });
}

export function decodeResourceList(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'resourcelist', isIndex: false });
}

export function decodeResourceListIndex(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'resourcelist', isIndex: true });
}

export function decodeResourceDump(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'resourcedump', isIndex: false });
}

export function decodeResourceDumpManifest(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'resourcedump-manifest', isIndex: false });
}

export function decodeChangeDump(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'changedump', isIndex: false });
}

export function decodeChangeDumpManifest(text: string): Result<DecodedDocument> {
  return decodeResourceSync(text, { capability: 'changedump-manifest', isIndex: false });
}

/** True for all entries that `readResourceSync` gives for a Change List. */
export function isChangeEntry(entry: ReadEntry): entry is ChangeEntry {
  return entry.md.change !== undefined && entry.md.datetime !== undefined;
}
