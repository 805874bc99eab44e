import { MAX_ENTRIES, type WrittenDocument } from '../../../codecs/resourcesync/encode.ts';
import { indexEntry } from '../../../codecs/resourcesync/split-document.ts';
import type { Change } from '../../../model/change.ts';
import type { SiteCollection } from './collection.ts';
import type { CollectionLists } from './collection-lists.ts';
import { changeEntry, isListed, type ListedChange, listedChanges, timeOf } from './listed-changes.ts';
import { documentUrl, type PlacedDocument, pathsOf } from './paths.ts';
import type { SiteCollections } from './site-collections.ts';

export interface ListedSite {
  readonly site: URL;
  /** The whole log, which is not empty. */
  readonly changes: readonly Change[];
  readonly collections: SiteCollections;
}

/** The list that is still growing. */
export function openChangeList({ collection, firsts, readOpen }: CollectionLists, listed: ListedSite): PlacedDocument {
  const from = beginOf(firsts.at(-1) ?? 1, collection, listed);
  return placed(pathsOf(collection).changeList, collection, { firsts, md: { from }, changes: readOpen(), listed });
}

/** A closed list, which is any but the last. It always comes out the same. */
export function closedChangeList(
  { collection, firsts, past }: CollectionLists,
  at: number,
  listed: ListedSite,
): PlacedDocument {
  const [first = 1, next = 1] = [firsts[at], firsts[at + 1]];
  const changes = listedChanges(listed.changes, first, next).filter(
    ({ url }) => listed.collections.of(url) === collection,
  );
  const md = { from: beginOf(first, collection, listed), until: beginOf(next, collection, listed) };
  return placed(pathsOf(collection).closedList(past + at + 1), collection, { firsts, md, changes, listed });
}

/** An index of the closed lists and the open one, in order. If there are too many for an index, it has the newest ones. */
export function changeListIndex({ collection, firsts, past }: CollectionLists, listed: ListedSite): PlacedDocument {
  const { site } = listed;
  const { changeListIndex: path, changeList, closedList } = pathsOf(collection);
  const begins = firsts.map((first) => beginOf(first, collection, listed));
  const entries = begins.map((from, at) => {
    const until = begins[at + 1];
    const loc = documentUrl(until === undefined ? changeList : closedList(past + at + 1), site);
    const head = { ...changeListHead(collection, site, false), md: until === undefined ? { from } : { from, until } };
    return indexEntry(loc, head);
  });
  const shown = entries.slice(-MAX_ENTRIES);
  const { from = 0 } = shown[0]?.md ?? {};
  const head = { ...changeListHead(collection, site, false), isIndex: true };
  return { path, document: { ...head, md: { from }, entries: shown } };
}

/** The time of the last change in the lists of a collection; without one, the start of the log. */
export function lastChangeMs({ collection }: CollectionLists, listed: ListedSite): number {
  return beginOf(listed.changes.length + 1, collection, listed);
}

export function changeListHead(
  collection: SiteCollection,
  site: URL,
  hasIndex: boolean,
): Omit<WrittenDocument, 'md' | 'entries'> {
  const { capabilityList, changeListIndex: index } = pathsOf(collection);
  const up = { rel: 'up', href: documentUrl(capabilityList, site) };
  const links = hasIndex ? [up, { rel: 'index', href: documentUrl(index, site) }] : [up];
  return { capability: 'changelist', isIndex: false, links };
}

/** The time of the last change in the lists before this one; for the first list, the start of the log. */
function beginOf(first: number, collection: SiteCollection, { changes, collections }: ListedSite): number {
  for (let at = first - 2; at >= 0; at -= 1) {
    const change = changes[at];
    if (change !== undefined && isListed(change) && collections.of(change.url) === collection) return timeOf(change);
  }
  const [oldest] = changes;
  if (oldest === undefined) throw new Error('A log without changes has no lists.');
  return timeOf(oldest);
}

function placed(
  path: string,
  collection: SiteCollection,
  list: {
    readonly firsts: readonly number[];
    readonly md: WrittenDocument['md'];
    readonly changes: readonly ListedChange[];
    readonly listed: ListedSite;
  },
): PlacedDocument {
  const head = changeListHead(collection, list.listed.site, list.firsts.length > 1);
  return { path, document: { ...head, md: list.md, entries: list.changes.map(changeEntry) } };
}
