import { isBesideTextName, isFurnitureName, isNoteName } from './furniture-names.ts';
import { isMarkedHidden } from './hidden.ts';
import { attribute, elementText, type HtmlElement, isHeading } from './html-tree.ts';

/** An element with more of the page's text than this is the page, whatever its name. */
const MAX_SHARE = 0.5;
const UNCOUNTED = new Set(['nav', 'footer', 'dialog', 'menu', 'button', 'select', 'textarea', 'head']);

interface Candidate {
  readonly element: HtmlElement;
  readonly ink: number;
}

/** Removes elements that their own class or id marks as furniture. In an article, also elements that are not part of the text by their kind. */
export function dropNamed(root: HtmlElement, { isArticle }: { readonly isArticle: boolean }): void {
  const candidates: Candidate[] = [];
  const isDropped = (element: HtmlElement) => isNamed(element) || (isArticle && isBesideText(element));
  const limit = count(root, isDropped, candidates).ink * MAX_SHARE;
  const dropped = new Set(candidates.filter(({ ink }) => ink <= limit).map(({ element }) => element));
  for (const parent of new Set([...dropped].map((element) => element.parent))) {
    if (parent === undefined || dropped.has(parent)) continue;
    const kept = parent.children.filter((child) => typeof child === 'string' || !dropped.has(child));
    parent.children.length = 0;
    for (const child of kept) parent.children.push(child);
  }
}

interface Counted {
  readonly ink: number;
  /** Whether it contains the page's title or its main part. */
  readonly isCore: boolean;
}

const NOTHING: Counted = { ink: 0, isCore: false };

function count(element: HtmlElement, isDropped: (element: HtmlElement) => boolean, candidates: Candidate[]): Counted {
  if (UNCOUNTED.has(element.name) || isMarkedHidden(element)) return NOTHING;
  let ink = 0;
  let isCore = element.name === 'h1' || element.name === 'main' || attribute(element, 'role') === 'main';
  for (const child of element.children) {
    if (typeof child === 'string') ink += child.trim().length;
    else {
      const inside = count(child, isDropped, candidates);
      ink += inside.ink;
      isCore ||= inside.isCore;
    }
  }
  if (!isCore && ink > 0 && element.name !== 'body' && element.name !== 'html' && isDropped(element))
    candidates.push({ element, ink });
  return { ink, isCore };
}

/** What magazines put below a photograph or beside their text. */
function isBesideText(element: HtmlElement): boolean {
  if (element.name === 'figcaption') return true;
  const names = attribute(element, 'class') ?? '';
  if (element.name === 'aside') return attribute(element, 'role') !== 'note' && !isNoteName(names);
  return names !== '' && isBesideTextName(names);
}

function isNamed(element: HtmlElement): boolean {
  if (element.attributes.size === 0) return false;
  const names = attribute(element, 'class');
  if (names !== undefined && isFurnitureName(names)) return true;
  const id = attribute(element, 'id');
  return id !== undefined && isFurnitureName(id) && !namesHeading(element, id);
}

/** Whether the id is derived from the author's heading, as generators do: "Feedback" is `feedback`. */
function namesHeading(element: HtmlElement, id: string): boolean {
  const heading = isHeading(element) ? element : element.children.find((child) => typeof child !== 'string');
  if (heading === undefined || typeof heading === 'string' || !isHeading(heading)) return false;
  return lettersOf(elementText(heading, ' ')) === lettersOf(id);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
