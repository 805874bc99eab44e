import type { WrittenDocument } from '../../../codecs/resourcesync/encode.ts';
import { WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import type { SiteCollection } from './collection.ts';

/** One document and its path. */
export interface PlacedDocument {
  readonly path: string;
  readonly document: WrittenDocument;
}

/** Where followers look for the Source Description (RS-S1). */
export const DESCRIPTION_PATH = WELL_KNOWN_PATH.slice(1);

/** The folder of all other documents. */
export const FOLDER = 'resourcesync';

/** The paths of the documents of a collection, relative to the site. */
export function pathsOf({ folder }: SiteCollection) {
  return {
    about: `${folder}/about.json`,
    capabilityList: `${folder}/capabilitylist.xml`,
    resourceList: `${folder}/resourcelist.xml`,
    resourceListPart: (name: number | string) => `${folder}/resourcelist-${name}.xml`,
    changeList: `${folder}/changelist.xml`,
    closedList: (number: number) => `${folder}/changelist-${number}.xml`,
    changeListIndex: `${folder}/changelist-index.xml`,
  };
}

/** Whether the list at this path never changes again. */
export function isClosedList(path: string): boolean {
  return /\/changelist-\d+\.xml$/.test(path);
}

/**
 * Whether the file at this path is a part of a long Resource List. Parts that were made because of configured limits have numbers
 * instead.
 */
export function isResourceListPart(path: string): boolean {
  return /\/resourcelist-[0-9a-f]{12}\.xml$/.test(path);
}

export function documentUrl(path: string, site: URL): string {
  return site.href + path;
}

/** The order in which documents are listed. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
