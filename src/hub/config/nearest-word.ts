const MAX_SLIPS = 2;
/** Nobody means a setting by something longer, and the work grows with it. */
const MAX_LENGTH = 40;

/** The word that was probably meant: the same but for case, or for a slip or two. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined;
  const low = typed.toLowerCase();
  const allowed = Math.min(MAX_SLIPS, Math.floor(low.length / 2));
  const distances = words.map((word) => [word, slipsBetween(low, word.toLowerCase())] as const);
  const [nearest] = distances.filter(([, slips]) => slips <= allowed).sort(([, one], [, other]) => one - other);
  return nearest?.[0];
}

/** How many letters have to be added, left out or replaced (Levenshtein). */
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
