import { BLOCKS } from './html-elements.ts';
import type { HtmlElement } from './html-tree.ts';
import type { Measures } from './measure.ts';

/** A block of links this short above the heading says where the page is located, not what it says. */
const MAX_TRAIL_TEXT = 400;

/** Removes what leads to the page's h1: breadcrumbs and other blocks of links above it. */
export function dropTrail(main: HtmlElement, measures: Measures): void {
  if (measures.get(main)?.hasH1 === true) dropAbove(main, measures);
}

/** Returns whether the h1 was reached, so that everything after it stays. */
function dropAbove(element: HtmlElement, measures: Measures): boolean {
  const { children } = element;
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at];
    if (child === undefined || typeof child === 'string') continue;
    if (child.name === 'h1') return true;
    if (measures.get(child)?.hasH1 === true) return dropAbove(child, measures);
    if (!isTrail(child, measures)) continue;
    children.splice(at, 1);
    at -= 1;
  }
  return false;
}

function isTrail(element: HtmlElement, measures: Measures): boolean {
  const measure = measures.get(element);
  if (measure === undefined || measure.links === 0 || measure.text > MAX_TRAIL_TEXT) return false;
  if (!BLOCKS.has(element.name) && element.name !== 'a') return false;
  return measure.firstHeading === undefined && measure.linkDensity() >= 0.4;
}
