import { collapseSpace } from '../collapse-space.ts';
import type { HtmlElement } from '../html-tree.ts';

/**
 * The text of an element with collapsed white space, cut after `maxLength` characters.
 *
 * Reads no further than needed: links may be nested, and each would repeat everything below it.
 */
export function shortTextOf(element: HtmlElement, maxLength: number): string {
  const pieces: string[] = [];
  collect(element, pieces, maxLength * 4);
  return shortText(pieces.join(''), maxLength);
}

/** Collapses white space and cuts between two characters. */
export function shortText(text: string, maxLength: number): string {
  const collapsed = collapseSpace(text.slice(0, maxLength * 4)).trim();
  if (collapsed.length <= maxLength) return collapsed;
  return collapsed
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

function collect(element: HtmlElement, pieces: string[], budget: number): number {
  let left = budget;
  for (const child of element.children) {
    if (left <= 0) break;
    if (typeof child === 'string') {
      pieces.push(child.slice(0, left));
      left -= child.length;
    } else {
      left = collect(child, pieces, left);
    }
  }
  return left;
}
