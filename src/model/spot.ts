/**
 * A place on a page at which something changed: a block, a line, or all of its text (`WHOLE_PAGE`).
 *
 * Most are forgotten soon. One that changes again and again, or goes back to what it said before, is volatile: what changes there is
 * held back until it has been still.
 */
export interface Spot {
  /** The name of the element around it, the same on other pages of the site; or `~` and the mark of the line before it. */
  readonly key: string;
  /** The section that it stands in; absent before the first heading. */
  readonly anchor?: string;
  /** `seen`: what changed there was told. `held`: it is not. `still`: it was held, and the text that stayed has been told. */
  readonly is: 'seen' | 'held' | 'still';
  /** Marks of its lines, as they are and as they were last told; one mark for all where they are many. */
  readonly lines: string;
  readonly told: string;
  /** One mark for each of its earlier texts, the newest last. */
  readonly texts: string;
  /** Looks at the source at which it changed first and last, and at how many it did. */
  readonly first: number;
  readonly last: number;
  readonly changed: number;
  readonly sinceMs: number;
  /** How often it changed again after it had been still. */
  readonly relapses?: number;
}

/** The key of a spot that is all of a page. */
export const WHOLE_PAGE = '*';
