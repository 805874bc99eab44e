/**
 * The same text in memory of its own. A text that is cut out of a page is a view of it: whoever keeps the view keeps the whole page.
 */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}
