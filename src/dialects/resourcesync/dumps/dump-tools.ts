import type { Folder, Place } from '../../../model/folder.ts';
import type { PackageLimits, ReadPage } from './make-package.ts';

/** What a dump is made with. */
export interface DumpTools {
  readonly site: URL;
  readonly out: Folder;
  /** Where earlier packages may be that `out` does not have. */
  readonly previous: Place | undefined;
  readonly limits: PackageLimits;
  readonly readPage: ReadPage;
  /** Gives raw data. */
  readonly deflate: (bytes: Uint8Array) => Uint8Array;
}
