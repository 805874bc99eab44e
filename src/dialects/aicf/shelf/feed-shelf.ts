import type { ServedDocument } from '../../../hub/http/answer-document.ts';

/** The name of a feed: a source's id, or `_all` for every source together. */
export const ALL_FEED = '_all';

/** One version of a feed, ready to be served. It never changes; a later version begins with the same bytes. */
export type FeedVersion = ServedDocument & Required<Pick<ServedDocument, 'bytes' | 'encoded'>>;

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
