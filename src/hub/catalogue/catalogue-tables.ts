import type { Action, Change, Kind } from '../../model/change.ts';
import type { ActionTally } from './catalogue.ts';

/** What a catalogue keeps of a change. */
export interface CatalogueEntry extends Pick<Change, 'seq' | 'id' | 'source' | 'url' | 'kind' | 'action'> {
  /** Since 1970, in UTC. Never smaller than that of the change before it. */
  readonly day: number;
  /** The sections that it is a change of, each once. */
  readonly anchors: readonly string[];
  /** Each once, as {@link wordsOf} makes them. */
  readonly words: readonly string[];
}

/** What all changes of a search have in common. */
export interface EntryMatch {
  /** Words, or beginnings of words. */
  readonly beginnings: readonly string[];
  readonly wholes: readonly string[];
  readonly source?: string | undefined;
  readonly action?: Action | undefined;
  readonly kind?: Kind | undefined;
}

/** A page or a section of it. `source` absent: in every source that has the page. */
export interface BoundaryName {
  readonly source?: string | undefined;
  readonly url: string;
  readonly anchor?: string | undefined;
}

/** The part of the log that is looked through: greater than one and smaller than the other. */
export interface SeqRange {
  readonly after: number;
  readonly before: number;
}

export interface PageEntry {
  /** The `seq` of its newest change. */
  readonly last: number;
  readonly changes: number;
}

export interface SectionEntry {
  readonly last: number;
  /** Whether it is the section of that name. */
  isNamed(anchor: string): boolean;
}

/**
 * Where a catalogue keeps what it has, as integers: texts are read from the log.
 *
 * Added entries are stored together with the place that they lead to, all or nothing. Names are compared by hashes: a search for a page or section checks in
 * the log whether a change belongs to it. Read and write errors throw a TidingsError; a StateCorruptError means that everything must be rebuilt.
 *
 * Every implementation passes `describeCatalogue()` in catalogue.contract.ts.
 */
export interface CatalogueTables {
  /** The `seq` of the newest added change. */
  readonly seq: number;
  /** The `seq` of the newest forgotten change. */
  readonly start: number;
  /** In order of `seq`, without a hole. */
  add(entries: readonly CatalogueEntry[]): void;
  /** Forgets some of the oldest changes, up to that `seq`. Whether there may be more. */
  forgetSome(upTo: number): boolean;

  /** By day, of those that have changes. `source` absent: of all together. */
  tallies(fromDay: number, toDay: number, source?: string): ReadonlyMap<number, ActionTally>;
  /** One per source that has changes on that day. */
  sourceTallies(day: number): readonly (ActionTally & { readonly source: string })[];
  /** The day of the newest change; -1 before the first. */
  readonly lastDay: number;
  /** The newest changes of a page, or of one of its sections, before that `seq`; newest first. */
  timeline(of: BoundaryName, before: number, limit: number): readonly number[];
  /** Last changed first. */
  pages(source: string, before: number, limit: number): readonly PageEntry[];
  /** The page whose newest change this is. */
  pageOfLast(seq: number): PageEntry | undefined;
  /** Last changed first. */
  sections(source: string, url: string, limit: number): readonly SectionEntry[];
  /** The changes that fit, newest first, in pieces of bounded work; a piece may be empty. `down` to where all is looked through. */
  matches(
    match: EntryMatch,
    range: SeqRange,
  ): Generator<{ readonly seqs: readonly number[]; readonly down: number }, void>;
  close(): void;
}
