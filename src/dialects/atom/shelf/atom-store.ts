import type { KeptArchives } from '../../shelf.ts';
import { StorageKey } from '../../shelf-storage.ts';

/**
 * The name of the feed of all sources. The feed of a source has its id as name; the feed of a collection also has a slash and its
 * name.
 */
export const ALL_ATOM = '_all';

/** An archive holds exactly this many entries, the feed itself at most this many of the newest. Never changes. */
export const ARCHIVE_ENTRIES = 50;

/** The state of a feed. Its entries are counted from 1, oldest first. */
export interface AtomFeedRecord {
  readonly name: string;
  /** Absent for the feed of all. */
  readonly source?: string;
  /** The URL that identifies the collection whose feed it is. */
  readonly describes?: string;
  readonly entries: number;
  /** The time of the newest entry. */
  readonly updatedMs: number;
  /** Its title when the newest entry was added. */
  readonly title: string;
  /** The page of its source for people. */
  readonly url?: string;
  /** The epoch of its newest archive. */
  readonly epoch?: string;
  /** The seq of the newest change in it. Absent if a hub wrote it that did not count them. */
  readonly seq?: number;
}

/**
 * What an archive says about its feed, as of when the archive became full. Includes the epoch of the log at that time, because the
 * same number may have been published before, from a log that was lost.
 */
export type AtomArchiveHead = Pick<AtomFeedRecord, 'title' | 'url' | 'updatedMs' | 'epoch' | 'seq'>;

/** The name of an archive in its address: `3`, or `3-1f0a2b3c` if a backup was restored before it became full. */
export interface AtomArchiveName {
  /** From 1. */
  readonly number: number;
  readonly epoch?: string | undefined;
}

/** A published entry, and its number in each feed. */
export interface PlacedEntry {
  readonly text: string;
  readonly places: readonly { readonly feed: string; readonly number: number }[];
}

/** One step from `after` to `seq` of the log. */
export interface AtomWrite {
  readonly after: number;
  readonly seq: number;
  /** Only in the first step: the identity of the hub, for every process. */
  readonly identity?: string;
  readonly feeds: readonly AtomFeedRecord[];
  readonly entries: readonly PlacedEntry[];
  readonly archives: readonly { readonly feed: string; readonly number: number; readonly head: AtomArchiveHead }[];
}

/**
 * Where a hub keeps the entries of its Atom feeds: beside its log, so that neither is ever restored without the other.
 *
 * `write` is one transaction, durable when it returns. If it throws a {@link TidingsError}, nothing of it was kept. It refuses a
 * step that does not begin where the last one ended. An entry is written once: nothing replaces it, and only {@link
 * AtomStore.endArchives} deletes it.
 */
export interface AtomStore {
  /** Unique to this hub. The ids of feeds are made from it. */
  identity(): string;
  /** How far the log has become entries. */
  seq(): number;
  feeds(): readonly AtomFeedRecord[];
  /** The entries with the numbers from `first` to `last`, oldest first. */
  entries(feed: string, first: number, last: number): readonly string[];
  /** By the number of the archive, from 1. */
  archive(feed: string, number: number): AtomArchiveHead | undefined;
  /** How many archives of a feed have ended: those with numbers up to this. From memory. */
  endedArchives(feed: string): number;
  /**
   * Deletes archives that need not be kept, some at a time. Entries that a feed shows stay. Returns how many archives have ended.
   */
  endArchives(kept: KeptArchives): Promise<number>;
  write(step: AtomWrite): void;
}

export const ATOM_STORE = new StorageKey<AtomStore>();
