import type { HtmlElement, HtmlNode } from './html-tree.ts';

/** The place of the last requested element. Elements are requested in order, so the next one is after it. */
const lastPlaces = new WeakMap<readonly HtmlNode[], number>();

/** Like `indexOf`, without quadratic time when every sibling is requested in order. */
export function placeAmong(siblings: readonly HtmlNode[], element: HtmlElement): number {
  const behind = siblings.indexOf(element, lastPlaces.get(siblings) ?? 0);
  const place = behind === -1 ? siblings.indexOf(element) : behind;
  lastPlaces.set(siblings, place);
  return place;
}

/** The next sibling that is an element. Text between them is skipped. */
export function elementAfter(element: HtmlElement): HtmlElement | undefined {
  const siblings = element.parent?.children ?? [];
  for (let at = placeAmong(siblings, element) + 1; at < siblings.length; at += 1) {
    const next = siblings[at];
    if (next !== undefined && typeof next !== 'string') return next;
  }
  return undefined;
}
