import type { SiteCollection } from './collection.ts';
import type { ListedChange } from './listed-changes.ts';

/** The Change Lists of a collection. */
export interface CollectionLists {
  readonly collection: SiteCollection;
  /** The `seq` where each list begins, oldest first; all but the last are closed. */
  readonly firsts: readonly number[];
  /** The number of the first of them, less one: those below it tell of what the collection once was, and no index names them. */
  readonly past: number;
  /** So many of the closed ones were closed before. */
  readonly knownClosed: number;
  /** With this publish the collection holds other pages than before. */
  readonly isAnew: boolean;
  /** What the open one tells. It is not looked at before somebody asks. */
  readonly readOpen: () => readonly ListedChange[];
}
