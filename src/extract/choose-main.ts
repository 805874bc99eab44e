import { attribute, elementText, type HtmlElement } from './html-tree.ts';
import { Measure } from './measure.ts';

/** A child with this share of an element's text may stand for the whole of it. */
const DOMINANT_SHARE = 0.8;
const ARTICLE_SHARE = 0.5;
/** A block made of links to this share leads elsewhere. */
const LINK_SHARE = 0.5;
/** A main is not believed where the page holds this many times as much. */
const WIDE = 2;
/** A longer text is content, whatever its form. */
const MAX_NOTICE = 200;

/**
 * The element that holds what the page is about.
 *
 * The markup decides where it says so (main, article); else the text does: from the body downwards, as long as one
 * child holds nearly all of it. Nothing with a heading or with sentences of its own is left behind on the way.
 */
export function chooseMain(
  root: HtmlElement,
  measures: Map<HtmlElement, Measure>,
  options: ChooseOptions = {},
): HtmlElement {
  return new MainChoice(measures, options.wide ?? false).choose(root);
}

interface ChooseOptions {
  /** Distrust a main that leaves much of the text outside. */
  readonly wide?: boolean;
}

class MainChoice {
  readonly #measures: Map<HtmlElement, Measure>;

  readonly #wide: boolean;

  constructor(measures: Map<HtmlElement, Measure>, wide: boolean) {
    this.#measures = measures;
    this.#wide = wide;
  }

  choose(root: HtmlElement): HtmlElement {
    const found = findFirst(root, (element) => element.name === 'body') ?? root;
    // A body that was closed too early, or one of a frame, leaves the page outside.
    const body = this.#size(found) * WIDE < this.#size(root) ? root : found;
    return this.#withHeader(this.#chooseIn(body), body);
  }

  #chooseIn(body: HtmlElement): HtmlElement {
    const mains = findAll(body, isMain).filter((main) => this.#size(main) > 0);
    const marked = commonParent(mains) ?? body;
    const outer = this.#wide && this.#size(marked) * WIDE < this.#size(body) ? body : marked;
    const article = this.#largest(findAll(outer, isArticle));
    if (article !== undefined && this.#size(article) >= this.#size(outer) * ARTICLE_SHARE) {
      if (this.#standsForAll(article, outer, outer === body)) return article;
    }
    return outer === body ? this.#descend(body) : outer;
  }

  /** Content without an h1, together with the header of the page that holds it. The name of a site is a link home. */
  #withHeader(content: HtmlElement, body: HtmlElement): HtmlElement {
    if (this.#measureOf(content).hasH1 || !this.#measureOf(body).hasH1) return content;
    const headers = findAll(body, (element) => element.name === 'header' && this.#measureOf(element).hasH1);
    const [header, another] = headers.filter((element) => !isInside(content, element));
    if (header === undefined || another !== undefined || this.#measureOf(header).linkDensity() > 0) return content;

    const both: HtmlElement = { name: 'div', attributes: new Map(), children: [header, content], parent: body };
    const measure = new Measure();
    for (const part of [header, content]) measure.add(this.#measureOf(part));
    this.#measures.set(both, measure);
    return both;
  }

  #descend(body: HtmlElement): HtmlElement {
    let here = body;
    for (;;) {
      const inner = this.#largest(here.children.filter((child) => typeof child !== 'string'));
      if (inner === undefined || !this.#isContainer(inner)) return here;
      if (this.#size(inner) < this.#size(here) * DOMINANT_SHARE || !this.#standsForAll(inner, here, true)) return here;
      here = inner;
    }
  }

  /** Whether all that stands in `outer` beside `inner` is furniture. In a main, anything but bare links is content. */
  #standsForAll(inner: HtmlElement, outer: HtmlElement, inBody: boolean): boolean {
    const isTitled = inBody && holdsTitle(this.#measureOf(inner));
    for (let here = inner; here !== outer && here.parent !== undefined; here = here.parent) {
      let isBefore = true;
      for (const beside of here.parent.children) {
        if (beside === here) isBefore = false;
        else if (typeof beside === 'string') {
          if (beside.trim() !== '') return false;
        } else if (!this.#isLinksOnly(beside, isTitled) && !(isTitled && this.#isNotice(beside, isBefore)))
          return false;
      }
    }
    return true;
  }

  /** With headings of their own only where the page's title stands elsewhere. */
  #isLinksOnly(element: HtmlElement, besideTitle: boolean): boolean {
    const measure = this.#measureOf(element);
    if (measure.isEmpty()) return true;
    if (measure.firstHeading === undefined) return measure.linkDensity() > LINK_SHARE;
    return besideTitle && !measure.hasH1 && measure.isListOfLinks();
  }

  /** Beside what holds the page's title: a name, a slogan, an address; before it, also an announcement in whole sentences. */
  #isNotice(element: HtmlElement, isBefore: boolean): boolean {
    const measure = this.#measureOf(element);
    if (element.name !== 'div' || measure.firstHeading !== undefined || measure.tables > 0) return false;
    return measure.text <= MAX_NOTICE && (isBefore || !SENTENCE_END.test(elementText(element, ' ')));
  }

  /** A table of figures is content itself; one that arranges the page holds headings or other tables. */
  #isContainer(element: HtmlElement): boolean {
    if (CONTAINERS.has(element.name) || element.name.includes('-')) return true;
    const measure = this.#measureOf(element);
    return TABLE_PARTS.has(element.name) && (measure.firstHeading !== undefined || measure.tables > 1);
  }

  /** Text outside links counts in full; link text hardly, because navigation is made of it. */
  #size(element: HtmlElement): number {
    const measure = this.#measureOf(element);
    return measure.text - measure.linkText * 0.8;
  }

  #largest(elements: readonly HtmlElement[]): HtmlElement | undefined {
    let best: HtmlElement | undefined;
    for (const element of elements) {
      if (best === undefined || this.#size(element) > this.#size(best)) best = element;
    }
    return best;
  }

  #measureOf(element: HtmlElement): Measure {
    return this.#measures.get(element) ?? new Measure();
  }
}

const CONTAINERS = new Set(['div', 'section', 'article', 'main', 'form', 'center']);
const TABLE_PARTS = new Set(['table', 'tbody', 'tr', 'td']);
const SENTENCE_END = /\p{L}{2,}.*[.!?:。！？](?:\s|$)/u;

/** An h1, or one heading above all others. */
function holdsTitle(measure: Measure): boolean {
  return measure.hasH1 || (measure.headingsAtTop === 1 && measure.firstHeading?.name === `h${measure.topLevel}`);
}

function isMain(element: HtmlElement): boolean {
  return element.name === 'main' || attribute(element, 'role') === 'main';
}

function isArticle(element: HtmlElement): boolean {
  return element.name === 'article' || attribute(element, 'itemprop') === 'articleBody';
}

/** The innermost element that holds them all: the one itself where there is one only. */
function commonParent(elements: readonly HtmlElement[]): HtmlElement | undefined {
  let [common] = elements;
  for (const element of elements) {
    while (common !== undefined && !isInside(element, common)) common = common.parent;
  }
  return common;
}

function isInside(element: HtmlElement, outer: HtmlElement): boolean {
  let here: HtmlElement | undefined = element;
  while (here !== undefined && here !== outer) here = here.parent;
  return here === outer;
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
