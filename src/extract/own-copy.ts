/** Copies a text into separate memory. A text cut out of a page is a view of it, so keeping the view keeps the whole page in memory. */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}
