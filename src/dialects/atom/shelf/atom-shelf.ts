import type { AtomFeedRecord, AtomStore } from './atom-store.ts';

/**
 * The Atom feeds of a hub, kept ready beside the log that they are derived from.
 *
 * `find` touches no database. What it gives is stored, so that no entry ever has other bytes, also over crashes.
 */
export interface AtomShelf extends AsyncDisposable, Pick<AtomStore, 'entries' | 'archive'> {
  /** Of the hub, for the ids of its feeds. */
  readonly identity: string;
  /** Undefined when the feed has no entry yet. The same object while nothing is new. */
  find(name: string): AtomFeedRecord | undefined;
  /** The names of the feeds of the collections of a source: `shrine/fox`. From memory. */
  collectionsOf(source: string): readonly string[];
  /** The newest `seq` that the feeds have. */
  readonly seq: number;
  /** Why they lag behind the log; undefined when they do not. */
  readonly trouble: string | undefined;
}
