import { attribute, type HtmlElement, isHeading } from './html-tree.ts';
import { Measure } from './measure.ts';

export interface Narrowing {
  /** Below this share of paragraphs a page is not running text, and is not narrowed. */
  readonly minProse: number;
  /** The element with this share of the paragraphs contains the text. */
  readonly bodyShare: number;
}

export const IN_ARTICLE: Narrowing = { minProse: 0.4, bodyShare: 0.7 };
/** If a page does not call itself an article, only an obvious one is narrowed. */
export const IN_OTHERS: Narrowing = { minProse: 0.6, bodyShare: 0.93 };

/** Shorter lines occur in teasers and boxes as often as in a text. */
const MIN_PARAGRAPH = 100;
/** A block before the body is part of it if it is this long, … */
const MIN_OPENING = 80;
const MIN_OPENING_PARAGRAPH = 30;
/** … and has this share of paragraphs. */
const OPENING_SHARE = 0.5;
/** Two or three parts of a page may share their names. */
const MIN_LIKES = 2;
const LISTED = new Set(['article']);
/** Layout elements. A list, a table or a quote is part of a text, however long it is. */
const CONTAINERS = new Set(['div', 'section', 'article', 'main', 'form', 'center', 'span', 'body', 'header', 'html']);
const TEXT_PARTS = new Set(['p', 'table', 'blockquote', 'pre', 'ol', 'dl', 'h2', 'h3', 'h4']);
const MAX_LINKED = 0.3;
/** A longer text under a linked heading is not a teaser. */
const MAX_TEASER = 600;

/**
 * The part of `main` that contains its running text, together with the opening of the text and the page's title.
 *
 * News and posts are surrounded by teasers, biographies and offers that no markup distinguishes. Their paragraphs are close together.
 */
export function narrowToText(
  main: HtmlElement,
  measures: Map<HtmlElement, Measure>,
  { minProse, bodyShare }: Narrowing,
): HtmlElement {
  const prose = new Map<HtmlElement, number>();
  const total = countProse(main, measures, prose);
  if (total < (measures.get(main)?.text ?? 0) * minProse) return main;

  let body = main;
  const openings: HtmlElement[] = [];
  let endings: HtmlElement[] = [];
  for (;;) {
    const next = body.children.find(
      (child) => typeof child !== 'string' && (prose.get(child) ?? 0) >= total * bodyShare,
    );
    if (next === undefined || typeof next === 'string' || !isContainer(next)) break;
    if (hasLikes(next, body, measures)) break;
    const inArticle = body.name === 'article';
    let isBefore = true;
    const after: HtmlElement[] = [];
    for (const beside of body.children) {
      if (beside === next) isBefore = false;
      else if (typeof beside === 'string') continue;
      else if (inArticle && isPartOfText(beside, measures)) (isBefore ? openings : after).push(beside);
      else if (isBefore && isOpening(beside, measures)) openings.push(beside);
    }
    endings = [...after, ...endings];
    body = next;
  }
  if (body === main) return body;
  const title = measures.get(body)?.hasH1 === true ? undefined : findTitle(main, body);
  const parts = [...(title === undefined ? [] : [title]), ...openings, body, ...endings];
  if (parts.length === 1) return body;
  const all: HtmlElement = { name: 'div', attributes: new Map(), children: parts, parent: main.parent };
  const measure = new Measure();
  for (const part of parts) measure.add(measures.get(part) ?? new Measure());
  measures.set(all, measure);
  return all;
}

function isContainer({ name }: HtmlElement): boolean {
  return CONTAINERS.has(name) || name.includes('-');
}

/** Whether it is one of several similar elements, like the posts of a thread. */
function hasLikes(element: HtmlElement, parent: HtmlElement, measures: ReadonlyMap<HtmlElement, Measure>): boolean {
  const kind = attribute(element, 'class') ?? '';
  if (kind === '' && !LISTED.has(element.name)) return false;
  let likes = 0;
  for (const child of parent.children) {
    if (typeof child === 'string' || child === element || child.name !== element.name) continue;
    if ((attribute(child, 'class') ?? '') === kind && (measures.get(child)?.text ?? 0) > 0) likes += 1;
  }
  return likes >= (LISTED.has(element.name) ? 1 : MIN_LIKES);
}

/** What an author puts into the article beside its body: a lead, a table, a correction, a last part. */
function isPartOfText(element: HtmlElement, measures: ReadonlyMap<HtmlElement, Measure>): boolean {
  const measure = measures.get(element);
  if (measure === undefined || measure.hasH1 || measure.linkDensity() > MAX_LINKED || isTeaser(measure)) return false;
  if (TEXT_PARTS.has(element.name)) return measure.text > 0;
  return measure.firstHeading !== undefined && countParagraphs(element, measures) >= measure.text * OPENING_SHARE;
}

/** The opening of an article, separate from the rest: mostly paragraphs, even short ones. */
function isOpening(element: HtmlElement, measures: ReadonlyMap<HtmlElement, Measure>): boolean {
  const measure = measures.get(element);
  if (
    measure === undefined ||
    measure.text < (element.name === 'p' ? MIN_OPENING_PARAGRAPH : MIN_OPENING) ||
    measure.hasH1
  )
    return false;
  return countParagraphs(element, measures) >= measure.text * OPENING_SHARE;
}

function countParagraphs(element: HtmlElement, measures: ReadonlyMap<HtmlElement, Measure>): number {
  const measure = measures.get(element);
  if (measure === undefined || element.name === 'a' || isTeaser(measure)) return 0;
  if (element.name === 'p' || element.name === 'li') return measure.text - measure.linkText;
  let sum = 0;
  for (const child of element.children) if (typeof child !== 'string') sum += countParagraphs(child, measures);
  return sum;
}

/** The text of paragraphs outside links and teasers, for every element that contains any. Some authors use only line breaks. */
function countProse(
  element: HtmlElement,
  measures: ReadonlyMap<HtmlElement, Measure>,
  prose: Map<HtmlElement, number>,
): number {
  const measure = measures.get(element);
  if (element.name === 'a' || (measure !== undefined && isTeaser(measure))) return 0;
  let sum = 0;
  if (element.name === 'p' || element.name === 'li') {
    const words = measure === undefined ? 0 : measure.text - measure.linkText;
    if (words >= MIN_PARAGRAPH) sum = words;
  } else {
    for (const child of element.children) {
      if (typeof child !== 'string') sum += countProse(child, measures, prose);
      else if (child.length >= MIN_PARAGRAPH) sum += child.trim().length;
    }
  }
  if (sum > 0) prose.set(element, sum);
  return sum;
}

/** One heading that is a link, and a few lines. */
function isTeaser(measure: Measure): boolean {
  return measure.headingsAtTop === 1 && measure.headingText === 0 && !measure.hasH1 && measure.text <= MAX_TEASER;
}

/** The h1 before `body`. */
function findTitle(element: HtmlElement, body: HtmlElement): HtmlElement | undefined {
  for (const child of element.children) {
    if (child === body) return undefined;
    if (typeof child === 'string') continue;
    if (isHeading(child) && child.name === 'h1') return child;
    const found = findTitle(child, body);
    if (found !== undefined) return found;
  }
  return undefined;
}
