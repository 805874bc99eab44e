import { collectionKey } from './change-key.ts';
import type { FoundCollection } from './find-collections.ts';
import type { KnownCollection, KnownSource } from './harvested.ts';
import { describesIt, type ListedCollection } from './list-collections.ts';

/** The collections that the Source Description names by this URL. If it names none, all are read (T-RS-9). */
export function wantedAmong(
  listed: readonly ListedCollection[],
  collection: string | undefined,
): readonly ListedCollection[] {
  if (collection === undefined) return listed;
  const named = listed.filter((each) => describesIt(each, collection));
  return named.length > 0 ? named : listed;
}

/** Whether the collection itself, or the Source Description, names the requested URL. */
export function isWanted(
  { describes, capabilityList }: FoundCollection,
  listed: readonly ListedCollection[],
  collection: string | undefined,
): boolean {
  if (collection === undefined || describesIt({ describes }, collection)) return true;
  return listed.some((each) => each.capabilityList === capabilityList && describesIt(each, collection));
}

/** Collections that were not read for the longest time come first, so that every collection of a slow site is read eventually. */
export function oldestFirst(
  listed: readonly ListedCollection[],
  known: KnownSource | undefined,
): readonly ListedCollection[] {
  const before = Object.values(known?.collections ?? {});
  const marks = new Map(before.map(({ capabilityList, markMs }) => [capabilityList, markMs]));
  const markOf = ({ capabilityList }: ListedCollection) => marks.get(capabilityList) ?? 0;
  return [...listed].sort((one, other) => markOf(one) - markOf(other));
}

/** Known collections that no document leads to now. A collection whose Capability List cannot be read still counts as named. */
export function noLongerNamed(
  known: KnownSource | undefined,
  listed: readonly ListedCollection[],
  found: readonly FoundCollection[],
): readonly KnownCollection[] {
  const named = new Set([
    ...listed.map(({ capabilityList }) => capabilityList),
    ...[...listed, ...found].flatMap(({ describes }) => (describes === undefined ? [] : collectionKey(describes))),
  ]);
  return Object.entries(known?.collections ?? {}).flatMap(([key, collection]) =>
    named.has(key) || named.has(collection.capabilityList) ? [] : collection,
  );
}
