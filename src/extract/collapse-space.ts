/** White space that is not one plain space already: of most texts nothing has to be replaced. */
const LOOSE_SPACE = / \s+|[^\S ]\s*/g;

/** Each run of white space as one space. */
export function collapseSpace(text: string): string {
  return text.replace(LOOSE_SPACE, ' ');
}
