import type { Folder, Place } from '../../../model/folder.ts';
import type { PackageLimits, ReadPage } from './make-package.ts';

/** What the dump writers need. */
export interface DumpTools {
  readonly site: URL;
  readonly out: Folder;
  /** May have earlier packages that `out` lacks. */
  readonly previous: Place | undefined;
  readonly limits: PackageLimits;
  readonly readPage: ReadPage;
  /** Returns raw deflate data. */
  readonly deflate: (bytes: Uint8Array) => Uint8Array;
}
