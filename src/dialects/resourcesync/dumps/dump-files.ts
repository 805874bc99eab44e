import { hash } from 'node:crypto';
import type { WrittenDocument } from '../../../codecs/resourcesync/encode.ts';
import type { SiteCollection } from '../lists/collection.ts';

/** A dump whose packages are written but whose list is not yet. */
export interface DumpFiles {
  readonly path: string;
  readonly document: WrittenDocument;
  /** The files published with it: packages, and copies of their manifests. */
  readonly written: readonly string[];
  /** Files that the previous list named and this one does not. */
  readonly unlisted?: readonly string[];
}

/** Whether the file at this path belongs to a Resource Dump, and may be removed when no list names it. */
export function isResourcePackage(path: string): boolean {
  return /^resourcesync\/(?:[\w-]+\/)?resourcedump-\d+(?:-[0-9a-f]+)?\.(?:zip|xml)$/.test(path);
}

/** The paths of the dumps of a collection, relative to the site. */
export function dumpPathsOf({ folder }: SiteCollection) {
  return {
    resourceDump: `${folder}/resourcedump.xml`,
    /** Other bytes get another name, so that an existing or downloaded list stays valid while the next one is written. */
    resourcePackage: (number: number, bytes: Uint8Array) =>
      `${folder}/resourcedump-${number}-${hash('sha256', bytes).slice(0, 16)}.zip`,
    changeDump: `${folder}/changedump.xml`,
    /** Named after the last change in it. If a publish fills several packages, they are numbered. */
    changePackage: (seq: number, part: number) => `${folder}/changedump-${seq}${part > 1 ? `-${part}` : ''}.zip`,
  };
}
