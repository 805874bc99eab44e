/** Where the Change Lists of a collection begin: those before the last are closed, and stay as they are. */
export interface ListMarks {
  /** The URL that identifies the collection. */
  readonly describes: string;
  /** The `seq` of the first change that each list may hold, oldest first. */
  readonly firsts: readonly number[];
  /** So many closed lists, of numbers below those of these, were made when the collection held other pages. */
  readonly past?: number | undefined;
  /** Names the collections that are within it, whose pages it does not hold; absent where there are none. */
  readonly within?: string | undefined;
}

/** Marks that are not as they are written are none: the lists are then split anew. */
export function listMarksOf(lists: unknown): readonly ListMarks[] | undefined {
  const isWhole = (marks: Partial<ListMarks> | null) =>
    typeof marks?.describes === 'string' &&
    Array.isArray(marks.firsts) &&
    marks.firsts.every(Number.isSafeInteger) &&
    (marks.past === undefined || Number.isSafeInteger(marks.past)) &&
    ['undefined', 'string'].includes(typeof marks.within);
  return Array.isArray(lists) && lists.every(isWhole) ? lists : undefined;
}
