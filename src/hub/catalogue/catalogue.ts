import type { Action, Change, Kind } from '../../model/change.ts';

/** How many changes there were, by what they did. */
export interface ActionTally {
  readonly creates: number;
  readonly updates: number;
  readonly deletes: number;
}

/** Days of UTC, both included: `2026-11-17`. More than {@link MOST_TALLIED_DAYS} are cut at the older end. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export const MOST_TALLIED_DAYS = 400;

export interface DayTally extends ActionTally {
  /** `2026-11-17` in UTC. */
  readonly day: string;
}

export interface SourceTally extends ActionTally {
  readonly source: string;
}

/** A list is read from its newest end, and then continued at the `older` of the last answer. */
export interface Paging {
  /** Only what has a smaller `seq`. */
  readonly before?: number | undefined;
  /** 50 unless it is said otherwise, at most {@link MOST_LISTED}. */
  readonly limit?: number | undefined;
}

export const MOST_LISTED = 500;

export interface TimelineQuery extends Paging {
  /** Absent: of every source that has the page. */
  readonly source?: string | undefined;
  readonly url: string;
  /** Absent: all changes of the page, those of its sections included. */
  readonly anchor?: string | undefined;
}

export interface PagesQuery extends Paging {
  readonly source: string;
  /** The newest change of a page has all of these, as {@link ChangeSearch.words} has them. */
  readonly words?: string | undefined;
}

/** Which changes are looked for. All that it names must fit. */
export interface ChangeSearch extends Paging {
  /** Words, or beginnings of words, of the title, the heading, the summary and the path. All of them must be there. */
  readonly words?: string | undefined;
  readonly source?: string | undefined;
  readonly action?: Action | undefined;
  readonly kind?: Kind | undefined;
  /** A glob of paths that {@link readPathGlob} reads: `/guide/**`. One that it does not read fits nothing. */
  readonly path?: string | undefined;
  /** Epoch milliseconds: not older than that. */
  readonly fromMs?: number | undefined;
  /** Epoch milliseconds: older than that. */
  readonly toMs?: number | undefined;
}

/** Newest first. */
export interface FoundChanges {
  readonly changes: readonly Change[];
  /** The next `before`. Absent: there is nothing more. */
  readonly older?: number;
  /** The search reached its limit before the page was full: matches may be further back, after `older`. */
  readonly isCut?: true;
}

/** The newest change of a page or a section. */
export type LastChange = Pick<Change, 'seq' | 'id' | 'time' | 'action'>;

export interface CataloguedPage {
  readonly url: string;
  readonly title?: string;
  /** How many the log has of the page and its sections. */
  readonly changes: number;
  readonly last: LastChange;
}

/** Last changed first. */
export interface FoundPages {
  readonly pages: readonly CataloguedPage[];
  readonly older?: number;
  readonly isCut?: true;
}

export interface CataloguedSection {
  readonly anchor: string;
  /** Where its newest change says it. */
  readonly heading?: string;
  readonly last: LastChange;
}

/** How far a catalogue has come. */
export interface CatalogueStanding {
  /** The `seq` of its newest change. */
  readonly seq: number;
  /** How many changes of the log it has yet to take over. */
  readonly behind: number;
  /** Why it cannot be read or written now; absent if it can. For operators: it may name files. */
  readonly trouble?: string;
}

/**
 * An index over the log of a hub: answers what a person asks of it, none by reading all of the log or of the pages.
 *
 * It is derived data: it can be deleted at any time and is rebuilt from the log. It follows the log, and a read waits for the few changes that it may lag
 * behind; if it is far behind (a first start), it answers with what it has, and `standing` says so. It holds what the log holds, and forgets what is cut off
 * there.
 *
 * Every method except `standing` throws a CatalogueUnavailableError if the index cannot be used now; the hub continues without it.
 */
export interface Catalogue {
  readonly standing: CatalogueStanding;
  /** Changes day by day, oldest first, days without any included. Of all sources, or of one. */
  tallies(range: DayRange, source?: string): Promise<readonly DayTally[]>;
  /** The sources with the most changes in those days, the busiest first; none that had no change. */
  busiestSources(range: DayRange, limit: number): Promise<readonly SourceTally[]>;
  /** The changes of a page or of one of its sections: changes of the page that name the section in their note are of it, too. */
  timeline(query: TimelineQuery): Promise<FoundChanges>;
  /** The pages of a source that the log names, including deleted ones. */
  pages(query: PagesQuery): Promise<FoundPages>;
  /** The sections of a page that the log names, last changed first. At most {@link MOST_LISTED}. */
  sections(source: string, url: string): Promise<readonly CataloguedSection[]>;
  find(search: ChangeSearch): Promise<FoundChanges>;
}
