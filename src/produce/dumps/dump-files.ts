import type { WrittenDocument } from '../../codecs/resourcesync/encode.ts';
import type { SiteCollection } from '../resourcesync/collection.ts';

/** A dump whose packages are written, and its list, which is not yet. */
export interface DumpFiles {
  readonly path: string;
  readonly document: WrittenDocument;
  /** What is published beside it: packages, and copies of their manifests. */
  readonly written: readonly string[];
}

/** Where the dumps of a collection are, relative to the site. */
export function dumpPathsOf({ folder }: SiteCollection) {
  return {
    resourceDump: `${folder}/resourcedump.xml`,
    resourcePackage: (number: number) => `${folder}/resourcedump-${number}.zip`,
    resourceManifest: (number: number) => `${folder}/resourcedump-${number}.xml`,
    changeDump: `${folder}/changedump.xml`,
    /** By the last change that it tells of; a publish that fills several has parts. */
    changePackage: (seq: number, part: number) => `${folder}/changedump-${seq}${part > 1 ? `-${part}` : ''}.zip`,
  };
}
