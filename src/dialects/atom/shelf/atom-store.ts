import type { KeptArchives } from '../../shelf.ts';
import { StorageKey } from '../../shelf-storage.ts';

/** The name of the feed of all sources. Those of sources are their ids; those of collections have a slash behind it. */
export const ALL_ATOM = '_all';

/** An archive holds exactly so many entries, the feed itself at most as many of the newest. Never changes. */
export const ARCHIVE_ENTRIES = 50;

/** Where a feed stands. Its entries are counted from 1, oldest first. */
export interface AtomFeedRecord {
  readonly name: string;
  /** Absent for the feed of all. */
  readonly source?: string;
  /** The URL that identifies the collection whose feed it is. */
  readonly describes?: string;
  readonly entries: number;
  /** Of the newest entry. */
  readonly updatedMs: number;
  /** As it was called when the newest entry came. */
  readonly title: string;
  /** The page of its source for people. */
  readonly url?: string;
  /** Of its newest archive. */
  readonly epoch?: string;
  /** Of the newest change that it tells. Absent where it was written by a hub that did not count them. */
  readonly seq?: number;
}

/**
 * What an archive says of its feed: kept as it was when the archive became full. With the epoch of the log in which that was: the
 * same number may have been published before, from a log that was lost.
 */
export type AtomArchiveHead = Pick<AtomFeedRecord, 'title' | 'url' | 'updatedMs' | 'epoch' | 'seq'>;

/** How an archive is named in its address: `3`, or `3-1f0a2b3c` where a backup was restored before it became full. */
export interface AtomArchiveName {
  /** From 1. */
  readonly number: number;
  readonly epoch?: string | undefined;
}

/** An entry as it is published, and where: under which number in which feeds. */
export interface PlacedEntry {
  readonly text: string;
  readonly places: readonly { readonly feed: string; readonly number: number }[];
}

/** One step from `after` to `seq` of the log. */
export interface AtomWrite {
  readonly after: number;
  readonly seq: number;
  /** With the first step: of the hub, in every process. */
  readonly identity?: string;
  readonly feeds: readonly AtomFeedRecord[];
  readonly entries: readonly PlacedEntry[];
  readonly archives: readonly { readonly feed: string; readonly number: number; readonly head: AtomArchiveHead }[];
}

/**
 * Where a hub keeps the entries of its Atom feeds: beside its log, so that neither is ever restored without the other.
 *
 * `write` is one transaction, durable when it returns; what it throws ({@link TidingsError}) means that nothing of it was
 * kept. It refuses a step that does not begin where the last one ended. An entry is written once: nothing replaces it, and only
 * {@link AtomStore.endArchives} deletes it.
 */
export interface AtomStore {
  /** What no other hub has: the ids of feeds follow from it. */
  identity(): string;
  /** How far the log has become entries. */
  seq(): number;
  feeds(): readonly AtomFeedRecord[];
  /** Those with the numbers from `first` to `last`, oldest first. */
  entries(feed: string, first: number, last: number): readonly string[];
  /** By the number of the archive, from 1. */
  archive(feed: string, number: number): AtomArchiveHead | undefined;
  /** How many archives of a feed have ended: those with the numbers up to it. From memory. */
  endedArchives(feed: string): number;
  /** Ends archives that need not be kept, some at a time. Entries that a feed shows stay. Says how many archives have ended. */
  endArchives(kept: KeptArchives): Promise<number>;
  write(step: AtomWrite): void;
}

export const ATOM_STORE = new StorageKey<AtomStore>();
