const WORDS_PER_MINUTE = 250;

/**
 * True if there are headings, the first is an h1 or h2, and none is more than one level below the previous one.
 *
 * Going up any number of levels is fine: it only closes sections (T-AWI-8).
 */
export function isHierarchyOk(levels: readonly number[]): boolean {
  const [first] = levels;
  if (first === undefined || first > 2) return false;
  return levels.every((level, at) => level - (levels[at - 1] ?? level) <= 1);
}

/** Whole minutes; 0 only if there are no words (T-AWI-22). */
export function readingTimeOf(words: number): number {
  return words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}
