import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { BLOCKS, MEDIA } from './html-elements.ts';
import type { HtmlElement } from './html-tree.ts';
import { KnownNames } from './known-names.ts';
import type { OpenTag } from './open-tag.ts';
import { type HtmlSink, scanHtml } from './scan-html.ts';
import type { TagName } from './tag-names.ts';
import { isTexScript, putFormula } from './tex-script.ts';

/** Deeper elements become children of the last one above, as in browsers, so that walkers may recurse. */
const MAX_DEPTH = 256;
/** How far up an implied or misplaced end tag looks for its start. Keeps hostile nesting linear. */
const MAX_SEARCH = 256;
/**
 * An element costs every later stage time and about a kilobyte; ten megabytes of `<p>a` would be two and a half million. Beyond this number tags open nothing
 * and only their text is read. A documentation page of a megabyte has ten thousand.
 */
const MAX_ELEMENTS = 300_000;

/**
 * Parses HTML into a tree, in one pass and in linear time, whatever the nesting.
 *
 * Tokenizer and tree builder are our own: the tokenizer because searching for the next sign costs a fraction of looking at each character; the tree builder
 * because stacks of open elements elsewhere cost time quadratic in depth, and because `<li><p>a<li><p>b` must read like its closed form.
 */
export function parseHtml(html: string, options: ParseOptions = {}): HtmlElement {
  return parseDocument(html, options).root;
}

export interface ParseOptions {
  /** Read what a page shows without scripts. Default: false, because most of it asks to turn scripts on. */
  readonly withoutScripts?: boolean;
}

export interface ParsedDocument {
  readonly root: HtmlElement;
  /** The content of each `<script type="application/ld+json">`, which the tree omits like any script. */
  readonly jsonLd: readonly string[];
}

export function parseDocument(html: string, { withoutScripts = false }: ParseOptions = {}): ParsedDocument {
  const builder = new TreeBuilder(html, withoutScripts);
  scanHtml(html, builder);
  return builder;
}

/** Case and parameters of the type are ignored (T-AWI-9). */
const JSON_LD_TYPE = /^\s*application\/ld\+json\s*(?:;|$)/i;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const ATTRIBUTE_NAMES = new KnownNames(
  'align alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby border charset class color colspan content data-id data-src data-type datetime decoding dir disabled for height hidden href hreflang id itemprop itemscope itemtype lang loading method name onclick placeholder property rel role rowspan sizes src srcset style tabindex target title type value width'.split(
    ' ',
  ),
  (name) => name,
);

class TreeBuilder implements HtmlSink, ParsedDocument {
  readonly isDone = false;
  readonly root: HtmlElement = { name: '#root', attributes: NO_ATTRIBUTES, children: [], parent: undefined };
  readonly jsonLd: string[] = [];
  readonly #html: string;
  readonly #withoutScripts: boolean;
  /** The start of the JSON-LD that is being read. */
  #jsonLdAt: number | undefined;
  /** The formula script that is being read, and the start of its text. */
  #texScript: { readonly attributes: ReadonlyMap<string, string>; readonly at: number } | undefined;
  /** Every open element, the innermost last. */
  readonly #open: HtmlElement[] = [this.root];
  readonly #openCount = new Map<string, number>();
  /** The index in `open` of the outermost element that readers never see, or 0. */
  #unseenAt = 0;
  #foreignDepth = 0;
  #elementCount = 0;
  /** By name, the start tags beyond the limit whose end tags are still to come. */
  readonly #dropped = new Map<string, number>();
  /** Whether the next text is read verbatim. */
  #isVerbatim = false;

  constructor(html: string, withoutScripts: boolean) {
    this.#html = html;
    this.#withoutScripts = withoutScripts;
  }

  onText(start: number, end: number): void {
    if (this.#unseenAt > 0) return;
    const text = this.#html.slice(start, end);
    this.#addText(this.#isVerbatim || !text.includes('&') ? text : decodeHTML(text));
  }

  onOpenTag(tag: OpenTag, end: number): void {
    const { name, isSelfClosing } = tag;
    this.#isVerbatim = name.isVerbatim && !this.isInForeign();
    // As in browsers, a form inside a form is ignored.
    if (name.name === 'form' && this.#isOpen('form')) return;
    const isRead = tag.count > 0 && (this.#unseenAt === 0 || name.name === 'source');
    const attributes = isRead ? attributesOf(tag) : NO_ATTRIBUTES;
    if (name.name === 'script' && this.#unseenAt === 0 && !isSelfClosing) this.#beginScript(attributes, end);
    this.#openElement(name, attributes, isSelfClosing && this.isInForeign());
  }

  onCloseTag(tag: TagName, start: number): void {
    const { name } = tag;
    this.#isVerbatim = false;
    if (this.#jsonLdAt !== undefined && name === 'script') {
      this.jsonLd.push(this.#html.slice(this.#jsonLdAt, start));
      this.#jsonLdAt = undefined;
    }
    if (this.#isEndOfDropped(name)) return;
    // What follows </body> is still shown in the body.
    if (!this.#isOpen(name) || name === 'body' || name === 'html') return;
    const at = this.#findOpen(name, tag.scope);
    if (at > 0) this.#closeFrom(at);
    if (name === 'script') this.#endTexScript(start);
  }

  onComment(): void {}

  isInForeign(): boolean {
    return this.#foreignDepth > 0;
  }

  #beginScript(attributes: ReadonlyMap<string, string>, at: number): void {
    const type = attributes.get('type');
    if (JSON_LD_TYPE.test(type ?? '')) this.#jsonLdAt = at;
    else if (isTexScript(type)) this.#texScript = { attributes, at };
  }

  #endTexScript(end: number): void {
    const script = this.#texScript;
    this.#texScript = undefined;
    if (script === undefined || this.#elementCount >= MAX_ELEMENTS) return;
    this.#elementCount += 2;
    putFormula(this.#innermost(), script.attributes, this.#html.slice(script.at, end));
  }

  #openElement(tag: TagName, attributes: ReadonlyMap<string, string>, selfClosing: boolean): void {
    const { name } = tag;
    const unseen = tag.isUnseen && !(this.#withoutScripts && name === 'noscript');
    if (this.#isFull(unseen)) {
      this.#dropElement(tag, selfClosing);
      return;
    }
    if (!this.isInForeign()) this.#closeImplied(tag);

    const parent = this.#innermost();
    const element = { name, attributes, children: [], parent };
    if (this.#isKept(tag, unseen)) {
      parent.children.push(element);
      this.#elementCount += 1;
    }
    if (selfClosing || tag.isVoid) return;

    if (this.#unseenAt === 0 && unseen) this.#unseenAt = this.#open.length;
    this.#open.push(element);
    this.#openCount.set(name, (this.#openCount.get(name) ?? 0) + 1);
    if (tag.isForeign) this.#foreignDepth += 1;
  }

  #isKept({ name, isMedia }: TagName, unseen: boolean): boolean {
    if (this.#elementCount >= MAX_ELEMENTS) return false;
    if (this.#unseenAt === 0) return !unseen || isMedia;
    const isDirectlyIn = this.#open.length === this.#unseenAt + 1;
    return name === 'source' && isDirectlyIn && MEDIA.has(this.#open[this.#unseenAt]?.name ?? '');
  }

  /** Invisible elements are still opened, or their text would be shown. They need no memory once closed. */
  #isFull(unseen: boolean): boolean {
    if (this.#open.length > MAX_ELEMENTS) return true;
    return this.#elementCount >= MAX_ELEMENTS && this.#unseenAt === 0 && !unseen;
  }

  #dropElement(tag: TagName, selfClosing: boolean): void {
    const { name } = tag;
    this.#closeHead(tag);
    // Separate words stay separate.
    if (this.#unseenAt === 0 && (BLOCKS.has(name) || name === 'br')) this.#addText(' ');
    if (!selfClosing && !tag.isVoid) this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + 1);
  }

  #isEndOfDropped(name: string): boolean {
    const count = this.#dropped.get(name) ?? 0;
    if (count > 0) this.#dropped.set(name, count - 1);
    return count > 0;
  }

  #closeHead({ isHeadOnly }: TagName): void {
    if (!isHeadOnly && this.#innermost().name === 'head') this.#closeFrom(this.#open.length - 1);
  }

  #closeImplied(tag: TagName): void {
    this.#closeHead(tag);
    if (tag.closes === undefined) return;
    const at = this.#findOpenAmong(tag.closes.closes, tag.closes.within);
    if (at > 0) this.#closeFrom(at);
  }

  #closeFrom(at: number): void {
    while (this.#open.length > at) {
      const name = this.#open.pop()?.name ?? '';
      this.#openCount.set(name, (this.#openCount.get(name) ?? 1) - 1);
      if (name === 'svg' || name === 'math') this.#foreignDepth -= 1;
    }
    if (this.#open.length <= this.#unseenAt) this.#unseenAt = 0;
  }

  #addText(text: string): void {
    const children = this.#innermost().children;
    const last = children.length - 1;
    const before = children[last];
    // Entities arrive as separate pieces, but a reader sees one text.
    if (typeof before === 'string') children[last] = before + text;
    else children.push(text);
  }

  #innermost(): HtmlElement {
    return this.#open[Math.min(this.#open.length - 1, MAX_DEPTH)] ?? this.root;
  }

  #isOpen(name: string): boolean {
    return (this.#openCount.get(name) ?? 0) > 0;
  }

  /** The index of the innermost open element of that name, or 0 if a barrier is nearer. */
  #findOpen(name: string, barriers: ReadonlySet<string>): number {
    const lowest = Math.max(1, this.#open.length - MAX_SEARCH);
    for (let at = this.#open.length - 1; at >= lowest; at -= 1) {
      const found = this.#open[at]?.name ?? '';
      if (found === name) return at;
      if (barriers.has(found)) return 0;
    }
    return 0;
  }

  #findOpenAmong(names: ReadonlySet<string>, barriers: ReadonlySet<string>): number {
    const lowest = Math.max(1, this.#open.length - MAX_SEARCH);
    for (let at = this.#open.length - 1; at >= lowest; at -= 1) {
      const found = this.#open[at]?.name ?? '';
      if (names.has(found)) return at;
      if (barriers.has(found)) return 0;
    }
    return 0;
  }
}

/** The first of two attributes with the same name counts. */
function attributesOf(tag: OpenTag): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (let index = 0; index < tag.count; index += 1) {
    const name = tag.knownName(index, ATTRIBUTE_NAMES);
    if (attributes.has(name)) continue;
    const value = tag.rawValue(index);
    attributes.set(name, value.includes('&') ? decodeHTMLAttribute(value) : value);
  }
  return attributes;
}
