import { attribute, type HtmlElement } from './html-tree.ts';
import type { Measures } from './measure.ts';

/** Fewer similar parts are ordinary parts of a page, like columns or chapters. */
const MIN_RECORDS = 3;
const MAX_NAMES = 8;
/** If one of several unnamed elements has more than this share of their text, the records are inside it. */
const MAX_SHARE = 0.5;

/**
 * The similar parts of `main` that contain most of its text: the posts of a thread, the cards of a list.
 *
 * Siblings are similar if they have the same element and share a class name. Empty if there are none.
 */
export function findRecords(main: HtmlElement, measures: Measures): readonly HtmlElement[] {
  let best: readonly HtmlElement[] = [];
  let most = 0;
  const look = (parent: HtmlElement): void => {
    for (const group of groupsOf(parent, measures)) {
      let size = 0;
      let largest = 0;
      for (const element of group) {
        const text = measures.get(element)?.text ?? 0;
        size += text;
        largest = Math.max(largest, text);
      }
      if (size <= most || (isUnnamed(group) && largest > size * MAX_SHARE)) continue;
      best = group;
      most = size;
    }
    for (const child of parent.children) {
      if (typeof child !== 'string' && (measures.get(child)?.text ?? 0) > most) look(child);
    }
  };
  look(main);
  return best;
}

function isUnnamed([first]: readonly HtmlElement[]): boolean {
  return first !== undefined && (attribute(first, 'class') ?? '') === '';
}

function groupsOf(parent: HtmlElement, measures: Measures): HtmlElement[][] {
  const groups = new Map<string, HtmlElement[]>();
  for (const child of parent.children) {
    if (typeof child === 'string' || !RECORDS.has(child.name) || (measures.get(child)?.text ?? 0) === 0) continue;
    for (const name of namesOf(child)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [child]);
      else group.push(child);
    }
  }
  return [...groups.values()].filter((group) => group.length >= MIN_RECORDS);
}

const RECORDS: ReadonlySet<string> = new Set(['div', 'article', 'li', 'section', 'tr', 'table', 'tbody', 'dl']);

function namesOf(element: HtmlElement): string[] {
  const { name } = element;
  const names = (attribute(element, 'class') ?? '').split(/\s+/, MAX_NAMES).filter((word) => word !== '');
  return names.length === 0 ? [name] : names.map((word) => `${name}.${word}`);
}
