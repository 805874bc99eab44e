import { attribute, elementText, type HtmlElement } from './html-tree.ts';
import { isLocalLink } from './link-target.ts';

/**
 * The footnotes of a page, recognised by their links: a number, letter or sign, raised or in brackets, that links to a place on the page. Docutils, Pandoc,
 * kramdown, GitHub, markdown-it, MediaWiki, WordPress and Asciidoctor all write this.
 *
 * Notes come after the text that refers to them: a definition is recognised only after a reference was read.
 */
export class Footnotes {
  readonly #root: HtmlElement;
  readonly #url: string;
  #targets: ReadonlyMap<string, HtmlElement> | undefined;
  readonly #labels = new Map<HtmlElement, string>();
  /** How often a label was requested. */
  readonly #wishes = new Map<string, number>();
  readonly #references = new Set<string>();

  constructor(root: HtmlElement, url: string) {
    this.#root = root;
    this.#url = url;
  }

  /** The label of the note that a link refers to. */
  referenceBy(link: HtmlElement): string | undefined {
    const id = this.#localId(link);
    if (id === undefined) return undefined;
    const [, inBrackets, bare] = SIGN.exec(elementText(link).trim()) ?? [];
    const sign = inBrackets ?? bare;
    if (sign === undefined || !(inBrackets !== undefined || isMarked(link))) return undefined;
    this.#targets ??= targetsIn(this.#root);
    const note = this.#targets.get(id);
    if (note === undefined || isAround(note, link)) return undefined;
    this.#noteReference(link);
    return this.#labels.get(note) ?? this.#nameNote(note, sign);
  }

  /** The label of the note in an element. */
  noteIn(element: HtmlElement): string | undefined {
    return this.#labels.size === 0 ? undefined : this.#labels.get(element);
  }

  /** Whether a link leads from a note back to the text. */
  isWayBack(link: HtmlElement): boolean {
    if (this.#references.size === 0) return false;
    return this.#references.has(this.#localId(link) ?? '');
  }

  #localId(link: HtmlElement): string | undefined {
    const href = attribute(link, 'href') ?? '';
    if (!isLocalLink(href, this.#url)) return undefined;
    const id = href.slice(href.indexOf('#') + 1);
    return id === '' ? undefined : decoded(id);
  }

  #nameNote(note: HtmlElement, sign: string): string {
    const words = sign.replace(/[^\p{L}\p{N}_.]+/gu, '-').replace(/^-|-$/g, '');
    const base = words === '' ? 'note' : words;
    const wishes = (this.#wishes.get(base) ?? 0) + 1;
    this.#wishes.set(base, wishes);
    const label = wishes === 1 ? base : `${base}-${wishes}`;
    this.#labels.set(note, label);
    return label;
  }

  #noteReference(link: HtmlElement): void {
    let element: HtmlElement | undefined = link;
    for (let step = 0; step < 3 && element !== undefined; step += 1, element = element.parent) {
      if (element !== link && element.name !== 'sup' && element.name !== 'span') break;
      const id = attribute(element, 'id');
      if (id !== undefined && id !== '') this.#references.add(id);
    }
  }
}

/** `[1]`, `[note 2]`, `[Knuth84]`; or 1, a, * alone. */
const SIGN = /^(?:\[\s*([\p{L}\p{N}][\p{L}\p{N} .+_-]{0,29}|[*†‡§#])\s*\]|\(?(\d{1,4}|[a-z]|[*†‡§]{1,3})\)?)$/u;
const NOTES = new Set(['li', 'aside', 'dt', 'dd', 'div', 'p', 'tr', 'table']);

/** Raised, or marked as a reference. */
function isMarked(link: HtmlElement): boolean {
  if (attribute(link, 'role') === 'doc-noteref' || link.attributes.has('data-footnote-ref')) return true;
  if (link.children.some((child) => typeof child !== 'string' && child.name === 'sup')) return true;
  return link.parent?.name === 'sup' || link.parent?.parent?.name === 'sup';
}

function isAround(note: HtmlElement, link: HtmlElement): boolean {
  for (let above = link.parent; above !== undefined; above = above.parent) if (above === note) return true;
  return false;
}

function targetsIn(root: HtmlElement): Map<string, HtmlElement> {
  const found = new Map<string, HtmlElement>();
  const visit = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      const id = NOTES.has(child.name) ? attribute(child, 'id') : undefined;
      if (id !== undefined && !found.has(id)) found.set(id, child);
      visit(child);
    }
  };
  visit(root);
  return found;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
