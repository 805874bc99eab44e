import type { HtmlElement, HtmlNode } from './html-tree.ts';

/** Where the element stood that was looked for last. They are asked for in their order: the next one stands behind. */
const lastPlaces = new WeakMap<readonly HtmlNode[], number>();

/** As `indexOf`, in time that does not grow with the square when every sibling is asked for, one after the other. */
export function placeAmong(siblings: readonly HtmlNode[], element: HtmlElement): number {
  const behind = siblings.indexOf(element, lastPlaces.get(siblings) ?? 0);
  const place = behind === -1 ? siblings.indexOf(element) : behind;
  lastPlaces.set(siblings, place);
  return place;
}

/** The next sibling that is an element; text between them is passed over. */
export function elementAfter(element: HtmlElement): HtmlElement | undefined {
  const siblings = element.parent?.children ?? [];
  for (let at = placeAmong(siblings, element) + 1; at < siblings.length; at += 1) {
    const next = siblings[at];
    if (next !== undefined && typeof next !== 'string') return next;
  }
  return undefined;
}
