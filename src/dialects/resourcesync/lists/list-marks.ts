/** Where the Change Lists of a collection begin. All lists before the last are closed and never change. */
export interface ListMarks {
  /** The URL that identifies the collection. */
  readonly describes: string;
  /** The `seq` of the first change that each list may hold, oldest first. */
  readonly firsts: readonly number[];
  /** How many closed lists, with lower numbers, were made when the collection held other pages. */
  readonly past?: number | undefined;
  /** Identifies the collections inside this one, whose pages it does not hold; absent if there are none. */
  readonly within?: string | undefined;
}

/** Invalid marks count as none: then the lists are split again. */
export function listMarksOf(lists: unknown): readonly ListMarks[] | undefined {
  const isWhole = (marks: Partial<ListMarks> | null) =>
    typeof marks?.describes === 'string' &&
    Array.isArray(marks.firsts) &&
    marks.firsts.every(Number.isSafeInteger) &&
    (marks.past === undefined || Number.isSafeInteger(marks.past)) &&
    ['undefined', 'string'].includes(typeof marks.within);
  return Array.isArray(lists) && lists.every(isWhole) ? lists : undefined;
}
