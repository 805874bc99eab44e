/** The name of a feed: a source's id, or `_all` for every source together. */
export const ALL_FEED = '_all';

export type FeedEncoding = 'identity' | 'gzip' | 'br';

/** One version of a feed, ready to be served. It never changes; a later version begins with the same bytes. */
export interface FeedVersion {
  /** Strong, quoted; each encoding has its own. */
  etagOf(encoding: FeedEncoding): string;
  /** When its last change was learned, as an HTTP date. */
  readonly lastModified: string;
  readonly lastModifiedMs: number;
  /** Of the plain form. */
  readonly bytes: number;
  /** Of the plain form: from `start` up to, not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The whole feed in that encoding; undefined when it is not kept in it. */
  encoded(encoding: 'gzip' | 'br'): Promise<Uint8Array | undefined>;
}

/**
 * The feeds of the hub, kept ready beside the log they are derived from.
 *
 * `find` touches no database and no disk. `add` takes the changes of a commit, in order of `seq`, and resolves when the new versions can
 * be found; a feed that cannot be written (full disk) keeps its last version and catches up with the next `add` or `mend`.
 * What was served once stays the beginning of what is served later, also over crashes.
 */
export interface FeedShelf extends AsyncDisposable {
  /** Undefined when the source has no change yet. */
  find(name: string): FeedVersion | undefined;
  /** The newest `seq` that every feed has. */
  readonly seq: number;
}
