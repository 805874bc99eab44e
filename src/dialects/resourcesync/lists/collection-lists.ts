import type { SiteCollection } from './collection.ts';
import type { ListedChange } from './listed-changes.ts';

/** The Change Lists of a collection. */
export interface CollectionLists {
  readonly collection: SiteCollection;
  /** The `seq` at which each list begins, oldest first. All but the last are closed. */
  readonly firsts: readonly number[];
  /** How many lists have lower numbers than these. They describe what the collection held once, and no index names them. */
  readonly past: number;
  /** How many of the closed lists were already closed before. */
  readonly knownClosed: number;
  /** This publish changes which pages the collection holds. */
  readonly isAnew: boolean;
  /** Reads the changes of the open list, on demand. */
  readonly readOpen: () => readonly ListedChange[];
}
