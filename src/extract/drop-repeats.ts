import { collapseSpace } from './collapse-space.ts';
import { BLOCKS, TABLE_PARTS } from './html-elements.ts';
import { type HtmlElement, type HtmlNode, isHeading } from './html-tree.ts';
import { collapsed } from './judge-element.ts';
import type { Measures } from './measure.ts';

/** Shorter texts repeat naturally: a price, a name, a date. */
const MIN_BLOCK = 25;
/** A line within a block, as in a quoted post. */
const MIN_LINE = 40;

/** Removes literal repetitions: quoted posts, signatures, the copies that a carousel or a second layout needs. */
export function dropRepeats(main: HtmlElement, measures: Measures): void {
  drop(main, measures, new Set());
}

function drop(element: HtmlElement, measures: Measures, said: Set<string>): void {
  const kept: HtmlNode[] = [];
  let isFirstOfSection = false;
  // A paragraph that an author writes twice in a row is intended. Copies are apart from each other.
  let before: string | undefined;
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child.length < MIN_LINE || !isSaid(collapseSpace(child).trim(), MIN_LINE, said)) kept.push(child);
    } else if (isHeading(child) || UNTOUCHED.has(child.name)) {
      kept.push(child);
    } else if (!isLeaf(child, measures)) {
      drop(child, measures, said);
      kept.push(child);
    } else {
      const text = collapsed(child);
      const isKept = !isSaid(text, MIN_BLOCK, said) || isFirstOfSection || text === before;
      if (isKept) kept.push(child);
      before = isKept && child.name === 'p' ? text : undefined;
    }
    if (typeof child !== 'string') isFirstOfSection = isHeading(child);
  }
  if (kept.length === element.children.length) return;
  element.children.length = 0;
  for (const child of kept) element.children.push(child);
}

const UNTOUCHED: ReadonlySet<string> = new Set([...TABLE_PARTS, 'pre', 'code', 'li', 'dd', 'dt']);

function isLeaf(element: HtmlElement, measures: Measures): boolean {
  if (!BLOCKS.has(element.name)) return false;
  const measure = measures.get(element);
  return measure !== undefined && measure.blocks === 1 && measure.images === 0;
}

function isSaid(text: string, minLength: number, said: Set<string>): boolean {
  if (text.length < minLength) return false;
  if (said.has(text)) return true;
  said.add(text);
  return false;
}
