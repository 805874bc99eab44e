import { collectionKey } from './change-key.ts';
import type { FoundCollection } from './find-collections.ts';
import type { KnownCollection, KnownSource } from './harvested.ts';
import { describesIt, type ListedCollection } from './list-collections.ts';

/** What the Source Description says finds a collection; where that is no help, all of them are looked at (T-RS-9). */
export function wantedAmong(
  listed: readonly ListedCollection[],
  collection: string | undefined,
): readonly ListedCollection[] {
  if (collection === undefined) return listed;
  const named = listed.filter((each) => describesIt(each, collection));
  return named.length > 0 ? named : listed;
}

/** By its own word, or by that of the Source Description. */
export function isWanted(
  { describes, capabilityList }: FoundCollection,
  listed: readonly ListedCollection[],
  collection: string | undefined,
): boolean {
  if (collection === undefined || describesIt({ describes }, collection)) return true;
  return listed.some((each) => each.capabilityList === capabilityList && describesIt(each, collection));
}

/** Those that were not read for the longest time, so that a site which is slower than a run gets to all of its collections. */
export function oldestFirst(
  listed: readonly ListedCollection[],
  known: KnownSource | undefined,
): readonly ListedCollection[] {
  const before = Object.values(known?.collections ?? {});
  const marks = new Map(before.map(({ capabilityList, markMs }) => [capabilityList, markMs]));
  const markOf = ({ capabilityList }: ListedCollection) => marks.get(capabilityList) ?? 0;
  return [...listed].sort((one, other) => markOf(one) - markOf(other));
}

/** Those that were read once and that no document leads to now. A Capability List that cannot be read is named all the same. */
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
