/**
 * A place on a page at which something changed: a block, a line, or the whole text (`WHOLE_PAGE`).
 *
 * Most spots are soon forgotten. A spot that changes repeatedly, or returns to an earlier text, is volatile: its changes are held back until it has
 * stayed unchanged for a while.
 */
export interface Spot {
  /** The name of the enclosing element, which is the same on other pages of the site; or `~` and the mark of the line before it. */
  readonly key: string;
  /** The section that contains it; absent before the first heading. */
  readonly anchor?: string;
  /** `seen`: its change was reported. `held`: its change is held back. `still`: it was held back, and the text that stayed has been reported. */
  readonly is: 'seen' | 'held' | 'still';
  /** Marks of its lines, now and as last reported. Many lines share one mark. */
  readonly lines: string;
  readonly told: string;
  /** One mark for each of its earlier texts, the newest last. */
  readonly texts: string;
  /** The first and the last look at the source at which it changed, and the number of such looks. */
  readonly first: number;
  readonly last: number;
  readonly changed: number;
  readonly sinceMs: number;
  /** How often it changed again after it had become still. */
  readonly relapses?: number;
}

/** The key of a spot that covers the whole page. */
export const WHOLE_PAGE = '*';
