import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { type EncodedDocumentLimits, MAX_BYTES, MAX_ENTRIES } from '../../../codecs/resourcesync/encode.ts';
import { splitDocument } from '../../../codecs/resourcesync/split-document.ts';
import type { Change } from '../../../model/change.ts';
import { changeListHead } from './change-lists.ts';
import type { CollectionLists } from './collection-lists.ts';
import type { ListMarks } from './list-marks.ts';
import { changeEntry, listedChanges } from './listed-changes.ts';
import { type SiteCollections, type SiteSettings, siteCollections } from './site-collections.ts';

export interface ListPlan {
  readonly collections: SiteCollections;
  /** The lists of each published collection, the site's own first. Empty before there is a log. */
  readonly lists: readonly CollectionLists[];
  /** To be remembered. Includes collections that are no longer configured. */
  readonly marks: readonly ListMarks[] | undefined;
}

export interface ListLimits {
  readonly listEntries?: number | undefined;
  readonly listBytes?: number | undefined;
}

/** Each publish rewrites the open Change List, so by default it is closed when it is larger than this. */
const OPEN_BYTES = 512 * 1024;
/** Hosts refuse files of 25 MiB. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The limits for documents that are split when they are large. */
export function limitsOf(limits: ListLimits): EncodedDocumentLimits {
  const { listEntries, listBytes = listEntries === undefined ? OPEN_BYTES : MOST_BYTES } = limits;
  return { maxBytes: listBytes, ...(listEntries !== undefined && { maxEntries: listEntries }) };
}

/** The limits for documents that should stay in one piece. */
export function wideLimitsOf(limits: ListLimits): EncodedDocumentLimits {
  return limitsOf({ ...limits, listBytes: limits.listBytes ?? MOST_BYTES });
}

/**
 * Plans where each Change List begins after the log has grown. Closed lists stay closed; the open one is split if it must be.
 *
 * If a collection holds other pages than before, because collections inside it came or went, its lists start again, under new names
 * and from the beginning of the log. Then its lists and their index agree with each other and with its Resource List, each covers
 * all pages that are in it now, and closed lists still never change. A follower of the collection recognises a repeated change, so
 * it learns only of the pages that are new in it. A follower of several collections sees a page that moved between them in both.
 */
export function planLists(
  changes: readonly Change[],
  before: readonly ListMarks[] = [],
  options: SiteSettings & ListLimits,
): ListPlan {
  const known = before.map(({ describes }) => describes);
  const collections = siteCollections(options, known);
  if (changes.length === 0) return { collections, lists: [], marks: before.length === 0 ? undefined : before };

  const { site } = options;
  const limits = limitsOf(options);
  const all = [collections.whole, ...collections.parts].map((collection) => {
    const marks = before.find(({ describes }) => describes === collection.describes);
    const within = collections.within(collection);
    const begun = { collection, within, isNew: true, isAnew: marks !== undefined, past: 0, firsts: ANEW };
    if (marks === undefined) return begun;
    const { past = 0 } = marks;
    if (marks.within !== within) return { ...begun, past: past + marks.firsts.length - 1 };
    return { ...begun, isNew: false, isAnew: false, past, firsts: firstsOf(marks, changes) };
  });
  const earliest = Math.min(...all.map(({ firsts }) => firsts.at(-1) ?? 1));
  const openChanges = once(() => groupBy(listedChanges(changes, earliest), ({ url }) => collections.of(url)));
  const isRoomy = surelyFit(changes, earliest, limits);
  const lists: CollectionLists[] = [];
  const within = new Map<string, string | undefined>();
  for (const { collection, isNew, isAnew, past, firsts, ...each } of all) {
    within.set(collection.describes, each.within);
    const first = firsts.at(-1) ?? 1;
    const readOpen = () => (openChanges().get(collection) ?? []).filter(({ seq }) => seq >= first);
    // An empty list is not published: the schema of sitemaps requires an entry.
    if (isNew && readOpen().length === 0) continue;
    const knownClosed = firsts.length - 1;
    const begun = { collection, firsts, past, knownClosed, isAnew, readOpen };
    lists.push(isRoomy ? begun : splitOpen(begun, site, limits));
  }
  const now = lists.map(({ collection: { describes }, firsts, past }): ListMarks => {
    const inner = within.get(describes);
    return { describes, firsts, ...(past > 0 && { past }), ...(inner !== undefined && { within: inner }) };
  });
  const kept = before.map((marks) => now.find(({ describes }) => describes === marks.describes) ?? marks);
  return { collections, lists, marks: [...kept, ...now.filter(({ describes }) => !known.includes(describes))] };
}

/** An upper bound for an entry without its address and title, and for a link. */
const OTHER_BYTES = 600;
/** The size of an escaped character. */
const WIDEST_BYTES = 9;
const HEAD_BYTES = 10_000;

/** Whether all open changes surely fit into one document, so that nothing must be split. Makes no entries to find out. */
function surelyFit(changes: readonly Change[], first: number, limits: EncodedDocumentLimits): boolean {
  const { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = limits;
  if (changes.length - first + 1 > maxEntries) return false;
  let most = HEAD_BYTES;
  for (let at = first - 1; at < changes.length; at += 1) {
    const { url = '', title = '', anchor } = changes[at] ?? {};
    most += OTHER_BYTES + WIDEST_BYTES * (url.length + title.length);
    if (anchor !== undefined) most += OTHER_BYTES + WIDEST_BYTES * (url.length + anchor.length);
  }
  return most <= maxBytes;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** One list from the beginning of the log. */
const ANEW: readonly number[] = [1];

/** The recorded starts, or one list from the beginning if they are missing or invalid. */
function firstsOf(marks: ListMarks | undefined, changes: readonly Change[]): readonly number[] {
  const firsts = marks?.firsts ?? [];
  const isWhole = firsts.every((first, at) => first > (firsts[at - 1] ?? 0) && first <= changes.length);
  return isWhole && firsts[0] === 1 ? firsts : ANEW;
}

function splitOpen(lists: CollectionLists, site: URL, limits: EncodedDocumentLimits): CollectionLists {
  const { collection, firsts } = lists;
  const open = lists.readOpen();
  const document = {
    ...changeListHead(collection, site, true),
    // Every time takes the same space.
    md: { from: open[0]?.timeMs ?? 0 },
    entries: open.map(changeEntry),
  };
  const parts = splitDocument(document, limits);
  if (!parts.ok) throw new Error(parts.issues[0].message);
  const more: number[] = [];
  let start = 0;
  for (const { entries } of parts.value.slice(0, -1)) {
    start += entries.length;
    more.push(open[start]?.seq ?? 0);
  }
  return { ...lists, firsts: [...firsts, ...more], readOpen: () => open.slice(start) };
}
