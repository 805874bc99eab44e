import type { ServedDocument } from '../../../hub/http/answer-document.ts';
import { StorageKey } from '../../shelf-storage.ts';

/** The name of a feed: a source's id, or `_all` for every source together. */
export const ALL_FEED = '_all';

/** One version of a feed, ready to be served. It never changes; a later version begins with the same bytes. */
export type FeedVersion = ServedDocument & Required<Pick<ServedDocument, 'bytes' | 'encoded'>>;

/** What a change adds to the feed of its source and to that of all. */
export interface AddedLine {
  readonly source: string;
  readonly seq: number;
  readonly id: string;
  readonly timeMs: number;
  /** With its LF; undefined for a change that AICF has no words for. */
  readonly text: string | undefined;
}

/** A step on in the log: all its lines, in order of `seq`. */
export interface FeedWrite {
  readonly seq: number;
  /** Of the last change. */
  readonly id: string;
  readonly lines: readonly AddedLine[];
}

/**
 * Where a hub keeps its AICF feeds: texts that only grow, and that can be derived from the log again, byte for byte.
 *
 * `find` touches no disk. What was served once stays the beginning of what is served later, also over crashes.
 */
export interface FeedStore extends AsyncDisposable {
  /** Where all feeds stand. Those that do not hold what was written to them begin anew; so do all where `isOfLog` says no. */
  load(isOfLog: (seq: number, id: string) => Promise<boolean>): Promise<number>;
  /**
   * A feed that has a line already is left as it is. Throws why a feed could not be written, or what of it was found lost; all
   * others are written, then, too.
   */
  write(step: FeedWrite): Promise<void>;
  /** All that the log has is written. */
  settle(): Promise<void>;
  /** Undefined when the feed has no line yet. */
  find(name: string): FeedVersion | undefined;
  /** Told when a feed may not hold what was written to it. */
  onDoubt: (() => void) | undefined;
  readonly isInDoubt: boolean;
  /** Whether it is the disk that failed, as against our code. */
  isExpected(error: unknown): boolean;
  /** Resolves when all that is written is on the disk, and marked so. Throws where it cannot be. */
  secure(): Promise<void>;
  /** Takes no more lines, also over restarts. Throws where that cannot be written down. */
  finish(): Promise<void>;
  /** Whether it was finished, here or by an earlier process. Known once it is loaded. */
  readonly isFinished: boolean;
}

/** The feeds of a hub, generation by generation: a new one begins where the log begins elsewhere than before. */
export interface FeedStores {
  /** Those that were begun, oldest first, and behind which `seq` of the log; that is undefined where it cannot be told any more. */
  generations(): Promise<readonly { readonly generation: number; readonly base: number | undefined }[]>;
  /** `base`: where the log begins, for feeds that are begun by it. */
  open(generation: number, base: number): FeedStore;
  /** The feeds that lie on the disk, whoever wrote them. */
  names(): Promise<readonly string[]>;
  /**
   * The whole lines of a feed on the disk behind the newest one that `isKnown` knows, without their LF: oldest first, and those
   * of newer generations, which may repeat some, first.
   */
  linesBehind(name: string, isKnown: (line: string) => boolean): Promise<readonly string[]>;
  /** How far the feeds of a generation were written when that was last written down; undefined where it cannot be told. */
  marked(generation: number): Promise<MarkedFeeds | undefined>;
  /** Removes the feeds of a generation that nobody serves any more. */
  remove(generation: number): Promise<void>;
}

/** Feeds on the disk, for who only reads: whoever writes them may be further on. */
export interface MarkedFeeds {
  /** The newest change that every feed has, and its id. */
  readonly seq: number;
  readonly id: string;
  readonly feeds: readonly MarkedFeed[];
}

export interface MarkedFeed {
  readonly name: string;
  readonly bytes: number;
  /** Of the last change that it took into account. */
  readonly seq: number;
  /** Of its last line. */
  readonly lastId: string;
  /** Those bytes; undefined where the file does not hold them as they were written. */
  read(): Promise<Uint8Array | undefined>;
}

export const FEED_STORE = new StorageKey<FeedStores>();
