/** The name of a feed: a source's id, or `_all` for every source together. */
export const ALL_FEED = '_all';

export type FeedEncoding = 'identity' | 'gzip' | 'br';

/** A whole feed in an encoding. */
export interface EncodedFeed {
  readonly bytes: number;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** One version of a feed, ready to be served. It never changes; a later version begins with the same bytes. */
export interface FeedVersion {
  /** Strong, quoted; each encoding has its own. */
  etagOf(encoding: FeedEncoding): string;
  /** When its last change was learned, never earlier than that of the version before; undefined while there is none. */
  readonly lastModifiedMs: number | undefined;
  /** Of the plain form. */
  readonly bytes: number;
  /** Of the plain form: from `start` up to, not including, `end`. At once where it is in memory. */
  read(start: number, end: number): Uint8Array | Promise<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The whole feed in that encoding; undefined when it is not kept in it, or not yet. At once where it is in memory. */
  encoded(encoding: 'gzip' | 'br'): EncodedFeed | undefined | Promise<EncodedFeed | undefined>;
}

/**
 * The feeds of the hub, kept ready beside the log they are derived from.
 *
 * `find` touches no database and no disk. What was served once stays the beginning of what is served later, also over crashes.
 */
export interface FeedShelf extends AsyncDisposable {
  /** Undefined when the feed has no line yet. */
  find(name: string): FeedVersion | undefined;
  /** The newest `seq` that every feed has. */
  readonly seq: number;
  /** Why feeds lag behind the log; undefined when none does. */
  readonly trouble: string | undefined;
}
