import type { ServedDocument } from '../../../hub/http/answer-document.ts';
import { StorageKey } from '../../shelf-storage.ts';

/** The name of a feed: a source's id, or `_all` for every source together. */
export const ALL_FEED = '_all';

/** One version of a feed, ready to be served. It never changes; a later version begins with the same bytes. */
export type FeedVersion = ServedDocument & Required<Pick<ServedDocument, 'bytes' | 'encoded'>>;

/** The line that a change adds to the feed of its source and to that of all. */
export interface AddedLine {
  readonly source: string;
  readonly seq: number;
  readonly id: string;
  readonly timeMs: number;
  /** With its LF; undefined if AICF cannot express the change. */
  readonly text: string | undefined;
}

/** A step forward in the log: all its lines, in order of `seq`. */
export interface FeedWrite {
  readonly seq: number;
  /** Of the last change. */
  readonly id: string;
  readonly lines: readonly AddedLine[];
}

/**
 * Where a hub keeps its AICF feeds: texts that only grow, and that can be derived from the log again, byte for byte.
 *
 * `find` touches no disk. What was served once stays the beginning of what is served later, even after a crash.
 */
export interface FeedStore extends AsyncDisposable {
  /** The `seq` that all feeds have reached. Feeds that do not contain what was written to them start again; all do if `isOfLog` returns false. */
  load(isOfLog: (seq: number, id: string) => Promise<boolean>): Promise<number>;
  /** Leaves a feed that already has a line unchanged. Throws why a feed could not be written, or what was lost of it; the others are written anyway. */
  write(step: FeedWrite): Promise<void>;
  /** Called when everything in the log is written. */
  settle(): Promise<void>;
  /** Undefined if the feed has no line yet. */
  find(name: string): FeedVersion | undefined;
  /** Called when a feed may not contain what was written to it. */
  onDoubt: (() => void) | undefined;
  readonly isInDoubt: boolean;
  /** Whether the disk failed, as opposed to our code. */
  isExpected(error: unknown): boolean;
  /** Resolves when everything written is on disk and marked so; otherwise throws. */
  secure(): Promise<void>;
  /** Takes no more lines, even after a restart. Throws if that cannot be stored. */
  finish(): Promise<void>;
  /** Whether it was finished, here or by an earlier process. Known once it is loaded. */
  readonly isFinished: boolean;
}

/** The feeds of a hub, generation by generation: a new generation begins when the start of the log changes. */
export interface FeedStores {
  /**
   * The generations that were begun, oldest first, with the `seq` after which each begins; undefined if that is no longer known.
   */
  generations(): Promise<readonly { readonly generation: number; readonly base: number | undefined }[]>;
  /** `base`: where the log begins, for feeds that this call begins. */
  open(generation: number, base: number): FeedStore;
  /** The feeds on disk, whoever wrote them. */
  names(): Promise<readonly string[]>;
  /**
   * The complete lines of a feed on disk after the newest one that `isKnown` accepts, without their LF: oldest first, and those of
   * newer generations, which may repeat some, first.
   */
  linesBehind(name: string, isKnown: (line: string) => boolean): Promise<readonly string[]>;
  /** The last stored mark of how far the feeds of a generation were written; undefined if it is not known. */
  marked(generation: number): Promise<MarkedFeeds | undefined>;
  /** Removes the feeds of a generation that is no longer served. */
  remove(generation: number): Promise<void>;
}

/** Feeds on disk, for processes that only read: the process that writes them may be further on. */
export interface MarkedFeeds {
  /** The newest change that every feed has, and its id. */
  readonly seq: number;
  readonly id: string;
  readonly feeds: readonly MarkedFeed[];
}

export interface MarkedFeed {
  readonly name: string;
  readonly bytes: number;
  /** The seq of the last change that it took into account. */
  readonly seq: number;
  /** The id of its last line. */
  readonly lastId: string;
  /** Those bytes; undefined if the file does not hold them as they were written. */
  read(): Promise<Uint8Array | undefined>;
}

export const FEED_STORE = new StorageKey<FeedStores>();
