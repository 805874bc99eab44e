/** White space other than a single plain space. Most texts need no replacement. */
const LOOSE_SPACE = / \s+|[^\S ]\s*/g;

/** Collapses each run of white space into one space. */
export function collapseSpace(text: string): string {
  return text.replace(LOOSE_SPACE, ' ');
}
