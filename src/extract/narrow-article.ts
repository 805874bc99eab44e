import { type HtmlElement, isHeading } from './html-tree.ts';
import { Measure } from './measure.ts';

/** The element with this share of an article's paragraphs holds the article. */
const BODY_SHARE = 0.8;
/** Below this share of paragraphs a page is no running text, and nothing is narrowed. */
const MIN_PROSE = 0.5;

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
  for (let inner = main; ; ) {
    const next = inner.children.find(
      (child) => typeof child !== 'string' && (prose.get(child) ?? 0) >= total * BODY_SHARE,
    );
    if (next === undefined || typeof next === 'string' || next.name === 'p') break;
    inner = next;
    body = next;
  }
  if (body === main || measures.get(body)?.hasH1 === true) return body;
  const title = findTitle(main, body);
  if (title === undefined) return body;
  const both: HtmlElement = { name: 'div', attributes: new Map(), children: [title, body], parent: main.parent };
  const measure = new Measure();
  for (const part of [title, body]) measure.add(measures.get(part) ?? new Measure());
  measures.set(both, measure);
  return both;
}

/** Text of paragraphs outside links, for every element that holds any. */
function countProse(
  element: HtmlElement,
  measures: ReadonlyMap<HtmlElement, Measure>,
  prose: Map<HtmlElement, number>,
): number {
  const measure = measures.get(element);
  let sum = 0;
  if (element.name === 'p') sum = measure === undefined ? 0 : measure.text - measure.linkText;
  else {
    for (const child of element.children) if (typeof child !== 'string') sum += countProse(child, measures, prose);
  }
  if (sum > 0) prose.set(element, sum);
  return sum;
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
