import { type HtmlElement, isHeading } from './html-tree.ts';
import { Measure } from './measure.ts';

/** The element with this share of an article's paragraphs holds the article. */
const BODY_SHARE = 0.7;
/** Below this share of paragraphs a page is no running text, and nothing is narrowed. */
const MIN_PROSE = 0.4;
const MINP = 100;
/** What stands before the body is part of it if it is this long, … */
const MIN_OPENING = 80;
/** … and has this share of paragraphs. */
const OPENING_PROSE = 0.5;
/** A longer text under a linked heading is no teaser. */
const MAX_TEASER = 600;

/**
 * The part of `main` that holds the running text of an article, together with the page's title.
 *
 * News and posts stand among teasers, biographies and offers that no markup tells apart; their paragraphs stand together.
 */
export function narrowArticle(main: HtmlElement, measures: Map<HtmlElement, Measure>): HtmlElement {
  const prose = new Map<HtmlElement, number>();
  const total = countProse(main, measures, prose);
  if (total < (measures.get(main)?.text ?? 0) * MIN_PROSE) return main;

  let body = main;
  const openings: HtmlElement[] = [];
  for (;;) {
    const next = body.children.find(
      (child) => typeof child !== 'string' && (prose.get(child) ?? 0) >= total * BODY_SHARE,
    );
    if (next === undefined || typeof next === 'string' || next.name === 'p') break;
    for (const before of body.children) {
      if (before === next) break;
      if (typeof before !== 'string' && isOpening(before, measures, prose)) openings.push(before);
    }
    body = next;
  }
  if (body === main) return body;
  const title = measures.get(body)?.hasH1 === true ? undefined : findTitle(main, body);
  const parts = [...(title === undefined ? [] : [title]), ...openings, body];
  if (parts.length === 1) return body;
  const all: HtmlElement = { name: 'div', attributes: new Map(), children: parts, parent: main.parent };
  const measure = new Measure();
  for (const part of parts) measure.add(measures.get(part) ?? new Measure());
  measures.set(all, measure);
  return all;
}

/** What an article begins with, set apart from the rest: nothing but paragraphs. */
function isOpening(
  element: HtmlElement,
  measures: ReadonlyMap<HtmlElement, Measure>,
  prose: ReadonlyMap<HtmlElement, number>,
): boolean {
  const measure = measures.get(element);
  if (measure === undefined || measure.text < MIN_OPENING || measure.hasH1) return false;
  return (prose.get(element) ?? 0) >= measure.text * OPENING_PROSE;
}

/** Text of paragraphs outside links, for every element that holds any. */
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
    if (words >= MINP) sum = words;
  } else {
    for (const child of element.children) {
      if (typeof child !== 'string') sum += countProse(child, measures, prose);
      else if (child.length >= MINP) sum += child.trim().length;
    }
  }
  if (sum > 0) prose.set(element, sum);
  return sum;
}

/** One heading that is a link, and a few lines. */
function isTeaser(measure: Measure): boolean {
  return measure.headingsAtTop === 1 && measure.headingText === 0 && !measure.hasH1 && measure.text <= MAX_TEASER;
}

/** The h1 that stands before `body`. */
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
