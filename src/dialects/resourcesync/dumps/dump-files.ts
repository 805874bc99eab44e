import { hash } from 'node:crypto';
import type { WrittenDocument } from '../../../codecs/resourcesync/encode.ts';
import type { SiteCollection } from '../lists/collection.ts';

/** A dump whose packages are written, and its list, which is not yet. */
export interface DumpFiles {
  readonly path: string;
  readonly document: WrittenDocument;
  /** What is published beside it: packages, and copies of their manifests. */
  readonly written: readonly string[];
  /** What the list before this one named and this one does not. */
  readonly unlisted?: readonly string[];
}

/** Whether a file at this path belongs to a Resource Dump and may be removed when no list names it. */
export function isResourcePackage(path: string): boolean {
  return /^resourcesync\/(?:[\w-]+\/)?resourcedump-\d+(?:-[0-9a-f]+)?\.(?:zip|xml)$/.test(path);
}

/** Where the dumps of a collection are, relative to the site. */
export function dumpPathsOf({ folder }: SiteCollection) {
  return {
    resourceDump: `${folder}/resourcedump.xml`,
    /** Other bytes have another name: a list that is there, or in somebody's hands, stays true while the next is written. */
    resourcePackage: (number: number, bytes: Uint8Array) =>
      `${folder}/resourcedump-${number}-${hash('sha256', bytes).slice(0, 16)}.zip`,
    changeDump: `${folder}/changedump.xml`,
    /** By the last change that it tells of; a publish that fills several has parts. */
    changePackage: (seq: number, part: number) => `${folder}/changedump-${seq}${part > 1 ? `-${part}` : ''}.zip`,
  };
}
