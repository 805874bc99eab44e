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
  /** Of each collection that is published, the site's own first. Empty before there is a log. */
  readonly lists: readonly CollectionLists[];
  /** To be remembered; also of collections that are no longer configured. */
  readonly marks: readonly ListMarks[] | undefined;
}

export interface ListLimits {
  readonly listEntries?: number | undefined;
  readonly listBytes?: number | undefined;
}

/** A Change List that is open is written anew by each publish: without a wish it is closed when it is larger. */
const OPEN_BYTES = 512 * 1024;
/** Hosts refuse files of 25 MiB. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Of documents that are split where they are large. */
export function limitsOf(limits: ListLimits): EncodedDocumentLimits {
  const { listEntries, listBytes = listEntries === undefined ? OPEN_BYTES : MOST_BYTES } = limits;
  return { maxBytes: listBytes, ...(listEntries !== undefined && { maxEntries: listEntries }) };
}

/** Of documents that are better one. */
export function wideLimitsOf(limits: ListLimits): EncodedDocumentLimits {
  return limitsOf({ ...limits, listBytes: limits.listBytes ?? MOST_BYTES });
}

/**
 * Where each Change List begins, now that the log has grown: what is closed stays so, what is open is split where it must be.
 *
 * A collection that holds other pages than before, because collections within it came or went, begins its lists anew, under
 * new names and from the beginning of the log: then its lists and their index agree with each other and with its Resource List, each
 * tells of all pages that are in it now, and what is closed still does not change. A follower of the collection, who knows a
 * change when it is told again, hears of nothing but the pages that are new in it. Who follows several hears of a page that
 * moved between them in both.
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
    // A list of nothing is none: the schema of sitemaps wants an entry.
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

/** More than an entry takes beside its address and its title, and more than a link takes. */
const OTHER_BYTES = 600;
/** Of a character that is escaped. */
const WIDEST_BYTES = 9;
const HEAD_BYTES = 10_000;

/** Whether all that is open fits into one document, so that nothing needs to be split: told without making an entry. */
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

/** One list from the beginning. */
const ANEW: readonly number[] = [1];

/** As they were written; one list from the beginning where none were. */
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
    // Any time takes as much room as another.
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
