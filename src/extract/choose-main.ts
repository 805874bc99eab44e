import { attribute, type HtmlElement } from './html-tree.ts';
import { Measure, type Measures } from './measure.ts';

/** A child with this share of an element's text stands for the whole of it. */
const DOMINANT_SHARE = 0.8;
const ARTICLE_SHARE = 0.5;

/**
 * The element that holds what the page is about.
 *
 * The markup decides where it says so (main, article); else the text does: from the body downwards, as long as
 * one child holds nearly all of it.
 */
export function chooseMain(root: HtmlElement, measures: Measures): HtmlElement {
  const size = (element: HtmlElement) => contentSize(measures.get(element) ?? new Measure());
  const body = findFirst(root, (element) => element.name === 'body') ?? root;
  const mains = findAll(body, isMain);
  const main = largest(mains, size);
  const outer = main !== undefined && size(main) > 0 ? main : body;

  const articles = findAll(
    outer,
    (element) => element.name === 'article' || attribute(element, 'itemprop') === 'articleBody',
  );
  const article = largest(articles, size);
  if (article !== undefined && size(article) >= size(outer) * ARTICLE_SHARE && keepsH1(outer, article, measures))
    return article;
  return outer === body ? descend(body, measures, size) : outer;
}

function isMain(element: HtmlElement): boolean {
  return element.name === 'main' || attribute(element, 'role') === 'main';
}

/** Text outside links counts in full; link text hardly, because navigation is made of it. */
function contentSize(measure: Measure): number {
  return measure.text - measure.linkText * 0.8;
}

/** Never leaves the page's h1 behind. */
function keepsH1(outer: HtmlElement, inner: HtmlElement, measures: Measures): boolean {
  return measures.get(outer)?.hasH1 !== true || measures.get(inner)?.hasH1 === true;
}

function descend(body: HtmlElement, measures: Measures, size: (element: HtmlElement) => number): HtmlElement {
  let here = body;
  for (;;) {
    const inner = largest(
      here.children.filter((child) => typeof child !== 'string'),
      size,
    );
    if (inner === undefined || !CONTAINERS.has(inner.name)) return here;
    if (size(inner) < size(here) * DOMINANT_SHARE || leavesHeadings(here, inner, measures)) return here;
    here = inner;
  }
}

/** Whether headings of a higher rank than any inside would stay outside. */
function leavesHeadings(outer: HtmlElement, inner: HtmlElement, measures: Measures): boolean {
  return (measures.get(outer)?.topLevel ?? 7) < (measures.get(inner)?.topLevel ?? 7);
}

const CONTAINERS = new Set(['div', 'section', 'article', 'main', 'form', 'center', 'table', 'tbody', 'tr', 'td']);

function largest(elements: readonly HtmlElement[], size: (element: HtmlElement) => number): HtmlElement | undefined {
  let best: HtmlElement | undefined;
  for (const element of elements) {
    if (best === undefined || size(element) > size(best)) best = element;
  }
  return best;
}

/** The outermost elements that match, in document order. */
function findAll(
  element: HtmlElement,
  matches: (element: HtmlElement) => boolean,
  found: HtmlElement[] = [],
): HtmlElement[] {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (matches(child)) found.push(child);
    else findAll(child, matches, found);
  }
  return found;
}

function findFirst(element: HtmlElement, matches: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = matches(child) ? child : findFirst(child, matches);
    if (found !== undefined) return found;
  }
  return undefined;
}
