import { attribute, elementText, type HtmlElement } from './html-tree.ts';
import { Measure } from './measure.ts';

/** A child with this share of an element's text may represent the whole element. */
const DOMINANT_SHARE = 0.8;
const ARTICLE_SHARE = 0.5;
/** A block with this share of link text is navigation. */
const LINK_SHARE = 0.5;
/** A main element is not trusted if the page contains this many times as much text. */
const WIDE = 2;
/** A longer text is content, whatever its form. */
const MAX_NOTICE = 200;

/**
 * The element that contains the main content of the page.
 *
 * The markup decides if it is explicit (main, article). Otherwise the text does: it descends from the body as long as one child contains nearly all of the
 * text. Nothing with a heading or with its own sentences is left out on the way.
 */
export function chooseMain(
  root: HtmlElement,
  measures: Map<HtmlElement, Measure>,
  options: ChooseOptions = {},
): HtmlElement {
  return new MainChoice(measures, options.wide ?? false).choose(root);
}

interface ChooseOptions {
  /** Do not trust a main element that leaves much of the text outside. */
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
    // A body that was closed too early, or that of a frame, does not contain the page.
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

  /** Content without an h1, together with the page header that contains it. An h1 that links home is the name of the site. */
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

  /** Whether everything in `outer` beside `inner` is furniture. In a main element, anything but bare links is content. */
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

  /** They may have their own headings only if the title of the page is elsewhere. */
  #isLinksOnly(element: HtmlElement, besideTitle: boolean): boolean {
    const measure = this.#measureOf(element);
    if (measure.isEmpty()) return true;
    if (measure.firstHeading === undefined) return measure.linkDensity() > LINK_SHARE;
    return besideTitle && !measure.hasH1 && measure.isListOfLinks();
  }

  /** Text beside the title of the page: a name, a slogan, an address. Before the title, also an announcement in whole sentences. */
  #isNotice(element: HtmlElement, isBefore: boolean): boolean {
    const measure = this.#measureOf(element);
    if (element.name !== 'div' || measure.firstHeading !== undefined || measure.tables > 0) return false;
    return measure.text <= MAX_NOTICE && (isBefore || !SENTENCE_END.test(elementText(element, ' ')));
  }

  /** A data table is content itself. A layout table contains headings or other tables. */
  #isContainer(element: HtmlElement): boolean {
    if (CONTAINERS.has(element.name) || element.name.includes('-')) return true;
    const measure = this.#measureOf(element);
    return TABLE_PARTS.has(element.name) && (measure.firstHeading !== undefined || measure.tables > 1);
  }

  /** Text outside links counts fully, link text hardly at all, because navigation consists of it. */
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

/** An h1, or a single heading above all others. */
function holdsTitle(measure: Measure): boolean {
  return measure.hasH1 || (measure.headingsAtTop === 1 && measure.firstHeading?.name === `h${measure.topLevel}`);
}

function isMain(element: HtmlElement): boolean {
  return element.name === 'main' || attribute(element, 'role') === 'main';
}

function isArticle(element: HtmlElement): boolean {
  return element.name === 'article' || attribute(element, 'itemprop') === 'articleBody';
}

/** The innermost element that contains all of them. A single element is returned itself. */
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
