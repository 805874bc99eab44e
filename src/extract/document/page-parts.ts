import { attribute, type HtmlElement, isHeading } from '../html-tree.ts';

/** The elements of a whole page, including furniture, from which an AIDocument is made, in document order. */
export interface PageParts {
  readonly html: HtmlElement | undefined;
  readonly base: string | undefined;
  readonly title: HtmlElement | undefined;
  readonly links: readonly HtmlElement[];
  readonly images: readonly HtmlElement[];
  readonly h1s: readonly HtmlElement[];
  readonly canonicals: readonly string[];
  /** By `name`, `property` or `http-equiv`, in lower case: the first non-blank content. */
  readonly meta: ReadonlyMap<string, string>;
  /** The microdata types of items: the last part of each `itemtype`. */
  readonly itemTypes: readonly string[];
  /** For headings without their own id: the id of an element inside. */
  readonly innerIds: ReadonlyMap<HtmlElement, string>;
}

/** The maximum number of links or images in a document. A page with more is oversized on purpose. */
const MAX_ENTRIES = 10_000;
const MAX_META = 500;
const MAX_TYPE_LENGTH = 200;

/** Must be called before the tree is pruned. */
export function collectParts(root: HtmlElement): PageParts {
  const collector = new Collector();
  collector.visit(root);
  return collector;
}

class Collector implements PageParts {
  html: HtmlElement | undefined;
  base: string | undefined;
  title: HtmlElement | undefined;
  readonly links: HtmlElement[] = [];
  readonly images: HtmlElement[] = [];
  readonly h1s: HtmlElement[] = [];
  readonly canonicals: string[] = [];
  readonly meta = new Map<string, string>();
  readonly itemTypes: string[] = [];
  readonly innerIds = new Map<HtmlElement, string>();
  #heading: HtmlElement | undefined;

  visit(element: HtmlElement): void {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      this.#take(child);
      const outer = this.#heading;
      if (isHeading(child)) this.#heading = child;
      this.visit(child);
      this.#heading = outer;
    }
  }

  #take(element: HtmlElement): void {
    if (this.#heading !== undefined) this.#takeInnerId(element, this.#heading);
    if (element.attributes.size > 0 && this.itemTypes.length < MAX_ENTRIES) this.#takeItemType(element);
    switch (element.name) {
      case 'a':
        if (this.links.length < MAX_ENTRIES && element.attributes.has('href')) this.links.push(element);
        break;
      case 'img':
        if (this.images.length < MAX_ENTRIES) this.images.push(element);
        break;
      case 'h1':
        this.h1s.push(element);
        break;
      case 'meta':
        this.#takeMeta(element);
        break;
      case 'link':
        this.#takeLink(element);
        break;
      case 'base':
        this.base ??= attribute(element, 'href');
        break;
      case 'title':
        this.title ??= element;
        break;
      case 'html':
        this.html ??= element;
        break;
    }
  }

  #takeMeta(meta: HtmlElement): void {
    const content = attribute(meta, 'content')?.trim();
    if (content === undefined || content === '' || this.meta.size >= MAX_META) return;
    for (const key of ['name', 'property', 'http-equiv']) {
      const name = attribute(meta, key)?.trim().toLowerCase();
      if (name !== undefined && !this.meta.has(name)) this.meta.set(name, content);
    }
  }

  #takeLink(link: HtmlElement): void {
    const href = attribute(link, 'href');
    if (href === undefined || href.trim() === '' || this.canonicals.length > 0) return;
    if (/(?:^|\s)canonical(?:\s|$)/i.test(attribute(link, 'rel') ?? '')) this.canonicals.push(href);
  }

  #takeItemType(element: HtmlElement): void {
    const type = attribute(element, 'itemtype')?.trim();
    if (type !== undefined && type.length < MAX_TYPE_LENGTH) this.itemTypes.push(type.replace(/^.*[/#]/, ''));
  }

  #takeInnerId(element: HtmlElement, heading: HtmlElement): void {
    if (this.innerIds.has(heading)) return;
    const id = attribute(element, 'id') ?? (element.name === 'a' ? attribute(element, 'name') : undefined);
    if (id !== undefined && id !== '') this.innerIds.set(heading, id);
  }
}
