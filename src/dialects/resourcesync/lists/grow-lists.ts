import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import { checkWritten } from '../../../codecs/resourcesync/check-written.ts';
import { type EncodedDocumentLimits, MAX_BYTES, MAX_ENTRIES } from '../../../codecs/resourcesync/encode.ts';
import type { Head, ResourceEntry } from '../../../codecs/resourcesync/wire.ts';
import { endText, entryText, hasTitles, headText } from '../../../codecs/resourcesync/write-xml.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import { beginOf, changeListHead, type ListedSite } from './change-lists.ts';
import type { SiteCollection } from './collection.ts';
import type { CollectionLists } from './collection-lists.ts';
import type { ListMarks } from './list-marks.ts';
import { changeEntry, listedChanges } from './listed-changes.ts';
import { pathsOf } from './paths.ts';
import { resourceEntry, resourceListHead } from './resource-list.ts';

/**
 * What the publish before this one wrote, under the same settings. Where little changed since, its lists become those of now at a
 * fraction of the work, byte for byte as they would be if they were made anew.
 */
export interface ListsBefore {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** How many changes the log had. */
  readonly log: number;
  readonly marks: readonly ListMarks[];
  /** The documents that are in the folder as they were written. */
  readonly documents: ReadonlyMap<string, Buffer>;
}

/** A page whose entry came, went or became another one. */
export interface ChangedPage {
  readonly url: string;
  readonly was: PageRecord | undefined;
  readonly is: PageRecord | undefined;
}

/** More than this are as fast made anew. */
const MAX_CHANGED = 200;

/** Undefined where they are many. */
export function changedPages(
  before: ReadonlyMap<string, PageRecord>,
  now: ReadonlyMap<string, PageRecord>,
): readonly ChangedPage[] | undefined {
  const changed: ChangedPage[] = [];
  let known = 0;
  for (const [url, is] of now) {
    const was = before.get(url);
    if (was !== undefined) known += 1;
    if (was === undefined || !isSameEntry(was, is)) changed.push({ url, was, is });
    if (changed.length > MAX_CHANGED) return undefined;
  }
  if (before.size - known > MAX_CHANGED) return undefined;
  if (known < before.size) {
    for (const [url, was] of before) if (!now.has(url)) changed.push({ url, was, is: undefined });
  }
  return changed.filter(({ url }) => isLoc(url));
}

function isSameEntry(a: PageRecord, b: PageRecord): boolean {
  return a === b || (a.file === b.file && a.bytes === b.bytes && a.modifiedMs === b.modifiedMs);
}

/** Where less room is left than this, and than the head takes three times, the list may have to be split. */
const RESERVE_BYTES = 10_000;

/** The Resource List as one document. Undefined where it must be made anew. `pages` is how many it may have. */
export function grownResourceList(
  collection: SiteCollection,
  now: { readonly changed: readonly ChangedPage[]; readonly pages: number; readonly atMs: number },
  { site, collections }: ListedSite,
  { before, limits }: { readonly before: ListsBefore; readonly limits: EncodedDocumentLimits },
): Buffer | undefined {
  const { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = limits;
  const old = bodyOf(before.documents.get(pathsOf(collection).resourceList));
  if (old === undefined || now.pages > maxEntries) return undefined;
  const { body } = old;
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const { url, was, is } of now.changed.toSorted((a, b) => (a.url < b.url ? -1 : 1))) {
    const next = was ?? nextPage(url, before.pages, (page) => collections.of(page.url) === collection);
    const known = next === undefined ? undefined : Buffer.from(entryText(resourceEntry(next), false));
    const start = known === undefined ? body.length : body.indexOf(known);
    if (start === -1) return undefined;
    const end = was === undefined ? start : start + (known?.length ?? 0);
    edits.push({ start, end, text: is === undefined ? '' : entryText(resourceEntry(is), false) });
  }
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(body.subarray(at, start), Buffer.from(text));
    at = end;
  }
  parts.push(body.subarray(at));
  const head = resourceListHead(collection, now.atMs, site);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length === 0 || length > maxBytes - RESERVE_BYTES - headText(head, true).length * 3) return undefined;
  return wholeOf(head, parts, false);
}

/** Where a page comes that is new. */
function nextPage(
  url: string,
  pages: ReadonlyMap<string, PageRecord>,
  isOwn: (page: PageRecord) => boolean,
): PageRecord | undefined {
  let next: PageRecord | undefined;
  for (const page of pages.values()) {
    if (page.url > url && (next === undefined || page.url < next.url) && isLoc(page.url) && isOwn(page)) next = page;
  }
  return next;
}

/** The open Change List with what came. Undefined where it must be made anew. */
export function grownChangeList(lists: CollectionLists, listed: ListedSite, before: ListsBefore): Buffer | undefined {
  const { collection, firsts, past } = lists;
  const { site, changes, collections } = listed;
  const old = bodyOf(before.documents.get(pathsOf(collection).changeList));
  const marks = before.marks.find(({ describes }) => describes === collection.describes);
  const isSameList = marks !== undefined && (marks.past ?? 0) === past && marks.firsts.join() === firsts.join();
  // What goes on with the run before it is told of in the entries of that.
  const isNewRun = changes[before.log - 1]?.time !== changes[before.log]?.time;
  if (old === undefined || !isSameList || !isNewRun) return undefined;
  const entries = listedChanges(changes, before.log + 1)
    .filter(({ url }) => collections.of(url) === collection)
    .map(changeEntry);
  const md = { from: beginOf(firsts.at(-1) ?? 1, collection, listed) };
  const head = { ...changeListHead(collection, site, firsts.length > 1), md };
  checkWritten(head, entries);
  const texts = entries.map((entry: ResourceEntry<number>) => Buffer.from(entryText(entry, false)));
  return wholeOf(head, [old.body, ...texts], old.hasTitles || hasTitles(head, entries));
}

const FIRST_ENTRY = '  <url>\n';
const END = endText(false);

/** The entries of a document that has some. */
function bodyOf(document: Buffer | undefined): { readonly body: Buffer; readonly hasTitles: boolean } | undefined {
  const start = document?.indexOf(FIRST_ENTRY) ?? -1;
  if (document === undefined || start === -1) return undefined;
  const isTitled = document.subarray(0, start).includes(' xmlns:xlink="');
  return { body: document.subarray(start, document.length - END.length), hasTitles: isTitled };
}

function wholeOf(head: Head<number>, body: readonly Buffer[], isTitled: boolean): Buffer {
  return Buffer.concat([Buffer.from(headText(head, isTitled)), ...body, Buffer.from(END)]);
}
