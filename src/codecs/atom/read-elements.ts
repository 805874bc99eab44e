import { accept, type Result, refuse } from '../primitives/result.ts';
import { FEED_CLAUSE, WEB_FEED_LIMITS } from './decoded-feed.ts';
import type { FeedElement } from './element.ts';
import { httpUrl } from './http-url.ts';
import { type LenientElement, LenientFlaw, type LenientHandlers, LenientXml } from './lenient-xml.ts';
import { feedElementName } from './namespaces.ts';

export interface ElementHandlers {
  /** Called at the start tag, before any contents. A returned message refuses the document. */
  root(root: FeedElement): string | undefined;
  /** `around` is the parent with the contents before the item. The item is not added to it. */
  item(item: FeedElement, around: FeedElement): void;
}

export interface ReadElements {
  /** The root with everything except items. */
  readonly root: FeedElement;
  readonly problems: readonly string[];
}

/** Thrown to stop reading: with a message to refuse the document, without one when enough was read. */
class Stop extends Error {}

/** The limit per item, and for everything outside items. The rest is not kept. */
const MAX_KEPT = 20_000;

/** Hands over items one by one, so only one is in memory. */
export function readElements(text: string, base: string | undefined, handlers: ElementHandlers): Result<ReadElements> {
  if (text.length > WEB_FEED_LIMITS.maxCharacters) {
    return refuse(FEED_CLAUSE, `It has more than ${WEB_FEED_LIMITS.maxCharacters} characters.`);
  }
  const reading = new Reading(base, handlers);
  const xml = new LenientXml(text, WEB_FEED_LIMITS.maxAttributes, reading);
  try {
    xml.scan();
  } catch (error) {
    if (error instanceof LenientFlaw) {
      return refuse(FEED_CLAUSE, `Line ${xml.line}: it is not well-formed XML (${error.message}).`);
    }
    if (!(error instanceof Stop)) throw error;
    if (error.message !== '') return refuse(FEED_CLAUSE, `Line ${xml.line}: ${error.message}.`);
  }
  const { root, problems } = reading;
  return root === undefined ? refuse(FEED_CLAUSE, 'It has no element.') : accept({ root, problems });
}

interface OpenElement extends FeedElement {
  readonly parts: (string | FeedElement)[];
  readonly isItem: boolean;
}

class Reading implements LenientHandlers {
  root: OpenElement | undefined;
  readonly problems: string[] = [];
  readonly #base: string | undefined;
  readonly #handlers: ElementHandlers;
  /** Undefined for an element that is not kept. */
  readonly #stack: (OpenElement | undefined)[] = [];
  readonly #prefixes = new Set<string>();
  #elements = 0;
  #items = 0;
  #keptInItem = 0;
  #keptOutside = 0;
  #isInItem = false;

  constructor(base: string | undefined, handlers: ElementHandlers) {
    this.#base = base;
    this.#handlers = handlers;
  }

  open(tag: LenientElement, depth: number): void {
    if (depth > WEB_FEED_LIMITS.maxDepth) throw new Stop(`it is nested deeper than ${WEB_FEED_LIMITS.maxDepth}`);
    this.#elements += 1;
    if (this.#elements > WEB_FEED_LIMITS.maxElements)
      throw new Stop(`it has more than ${WEB_FEED_LIMITS.maxElements} elements`);
    if (tag.uri === undefined) this.#undeclared(tag.prefix);

    const parent = this.#stack.at(-1);
    const element = depth > 1 && parent === undefined ? undefined : this.#elementOf(tag, parent);
    if (element?.isItem) this.#beginItem();
    if (element !== undefined && depth === 1) {
      this.root = element;
      const reason = this.#handlers.root(element);
      if (reason !== undefined) throw new Stop(reason);
    }
    this.#stack.push(element !== undefined && this.#isKept() ? element : undefined);
  }

  text(piece: string): void {
    const parts = this.#stack.at(-1)?.parts;
    const last = parts?.at(-1);
    // Comments must not split one text into a million pieces.
    if (parts !== undefined && typeof last === 'string') parts[parts.length - 1] = last + piece;
    else parts?.push(piece);
  }

  close(): void {
    const element = this.#stack.pop();
    const parent = this.#stack.at(-1);
    if (element === undefined || parent === undefined) return;
    if (element.isItem) {
      this.#isInItem = false;
      this.#handlers.item(element, parent);
    } else {
      parent.parts.push(element);
    }
  }

  #undeclared(prefix: string): void {
    if (this.#prefixes.has(prefix) || this.#prefixes.size === WEB_FEED_LIMITS.maxProblems) return;
    this.#prefixes.add(prefix);
    this.#report(`The prefix "${prefix.slice(0, 50)}" is not declared.`);
  }

  #beginItem(): void {
    this.#items += 1;
    if (this.#items > WEB_FEED_LIMITS.maxItems) {
      this.#report(`It has more than ${WEB_FEED_LIMITS.maxItems} items; the rest is not read.`);
      throw new Stop();
    }
    this.#isInItem = true;
    this.#keptInItem = 0;
  }

  #isKept(): boolean {
    const kept = this.#isInItem ? ++this.#keptInItem : ++this.#keptOutside;
    if (kept > MAX_KEPT)
      this.#report(`It has more than ${MAX_KEPT} elements in one place; the rest of them is not read.`);
    return kept <= MAX_KEPT;
  }

  #report(problem: string): void {
    if (this.problems.length < WEB_FEED_LIMITS.maxProblems && !this.problems.includes(problem))
      this.problems.push(problem);
  }

  #elementOf(tag: LenientElement, parent: OpenElement | undefined): OpenElement {
    const name = this.#nameOf(tag);
    const around = parent?.base ?? this.#base;
    const ownBase = tag.attributes.get('xml:base');
    const base = ownBase === undefined ? around : (httpUrl(ownBase, around) ?? around);
    const isItem = !this.#isInItem && isItemOf(name, parent?.name);
    return { name, attributes: tag.attributes, parts: [], base, isItem };
  }

  /** In RSS, elements without a prefix belong to RSS, even if another namespace is declared for them. A feed without a namespace is Atom. */
  #nameOf(tag: LenientElement): string {
    const root = this.root?.name;
    if ((root === 'rss' || root === 'rdf:rdf') && tag.prefix === '' && !tag.attributes.has('xmlns')) {
      return tag.local.toLowerCase();
    }
    const name = feedElementName(tag);
    if (root === undefined) return name === 'feed' ? 'atom:feed' : name.replace(/^\w+:(?=rss$)/, '');
    return root === 'atom:feed' && !name.includes(':') ? `atom:${name}` : name;
  }
}

/** RSS 2.0 has its items in the channel, RSS 1.0 beside it, Atom in the feed. */
function isItemOf(name: string, parent: string | undefined): boolean {
  if (name === 'atom:entry') return parent === 'atom:feed';
  return name === 'item' && (parent === 'channel' || parent === 'rss' || parent === 'rdf:rdf');
}
