const MAX_SLIPS = 2;
/** Longer words are never meant as a setting, and the cost grows with the length. */
const MAX_LENGTH = 40;

/** The word that was probably meant: equal except for case, or for one or two typing errors. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined;
  const low = typed.toLowerCase();
  const allowed = Math.min(MAX_SLIPS, Math.floor(low.length / 2));
  const distances = words.map((word) => [word, slipsBetween(low, word.toLowerCase())] as const);
  const [nearest] = distances.filter(([, slips]) => slips <= allowed).sort(([, one], [, other]) => one - other);
  return nearest?.[0];
}

/** How many letters must be added, removed or replaced (Levenshtein). */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, otherLetter] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
