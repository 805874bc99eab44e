import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { BLOCKS, CLOSED_BY, HEAD_ONLY, isVoid, MEDIA, scopeOfEndTag, UNSEEN } from './html-elements.ts';
import type { HtmlElement } from './html-tree.ts';
import { isTexScript, putFormula } from './tex-script.ts';

/** Deeper elements become children of the last one above, as browsers do it, so that walkers may recurse. */
const MAX_DEPTH = 256;
/** How far up an implied or misplaced end tag looks for its start. Keeps hostile nesting linear. */
const MAX_SEARCH = 256;
/**
 * An element costs every later stage time and about a kilobyte; ten megabytes of `<p>a` would be two and a half million.
 * Past this number tags open nothing and only their text is read. A documentation page of a megabyte has ten thousand.
 */
const MAX_ELEMENTS = 300_000;
/** Far more than any element has that shows something. */
const MAX_ATTRIBUTES = 500;

/**
 * HTML as a tree, in one pass and in linear time, whatever the nesting.
 *
 * The tokens are htmlparser2's. The tree is our own because that parser's open-element stack costs time quadratic
 * in depth, and because `<li><p>a<li><p>b` must read like its closed form.
 */
export function parseHtml(html: string, options: ParseOptions = {}): HtmlElement {
  return parseDocument(html, options).root;
}

export interface ParseOptions {
  /** Read what a page shows to those without scripts. Default false: most of it asks to turn them on. */
  readonly withoutScripts?: boolean;
}

export interface ParsedDocument {
  readonly root: HtmlElement;
  /** What stands in each `<script type="application/ld+json">`, which the tree leaves out like any script. */
  readonly jsonLd: readonly string[];
}

export function parseDocument(html: string, { withoutScripts = false }: ParseOptions = {}): ParsedDocument {
  const builder = new TreeBuilder(html, withoutScripts);
  const tokenizer = new Tokenizer({ decodeEntities: true }, builder);
  // Outside drawings a CDATA section is a comment that ends at the next ">", as browsers read it. Of the same length,
  // so that every position stays.
  tokenizer.write(html.includes('<![CDATA[') ? html.replaceAll('<![CDATA[', '<!XCDATA[') : html);
  tokenizer.end();
  return builder;
}

/** Case and parameters of the type do not count (T-AWI-9). */
const JSON_LD_TYPE = /^\s*application\/ld\+json\s*(?:;|$)/i;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

class TreeBuilder implements TokenizerCallbacks, ParsedDocument {
  readonly root: HtmlElement = { name: '#root', attributes: NO_ATTRIBUTES, children: [], parent: undefined };
  readonly jsonLd: string[] = [];
  readonly #html: string;
  readonly #withoutScripts: boolean;
  /** Where the JSON-LD begins that is being read. */
  #jsonLdAt: number | undefined;
  /** The script with a formula that is being read, and where its text begins. */
  #texScript: { readonly attributes: ReadonlyMap<string, string>; readonly at: number } | undefined;
  /** Every open element, the innermost last. */
  readonly #open: HtmlElement[] = [this.root];
  readonly #openCount = new Map<string, number>();
  /** Where in `open` the outermost element stands that readers never see, or 0. */
  #unseenAt = 0;
  #foreignDepth = 0;
  #elementCount = 0;
  /** By name, the start tags past the limit whose end tags are still to come. */
  readonly #dropped = new Map<string, number>();
  /** The start tag being read; empty when it is ignored. */
  #tag = '';
  #tagAttributes: Map<string, string> | undefined;
  #attributeName = '';
  #attributeValue = '';

  constructor(html: string, withoutScripts: boolean) {
    this.#html = html;
    this.#withoutScripts = withoutScripts;
  }

  ontext(start: number, end: number): void {
    if (this.#unseenAt === 0) this.#addText(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    if (this.#unseenAt === 0) this.#addText(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#unseenAt === 0 && this.isInForeignContext()) this.#addText(this.#html.slice(start, end - endOffset));
  }

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#tagAttributes = undefined;
    // As browsers do: a form inside a form is not there.
    this.#tag = name === 'form' && this.#isOpen('form') ? '' : name;
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#html.slice(start, end).toLowerCase();
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.#unseenAt === 0 || this.#tag === 'source') {
      this.#tagAttributes ??= new Map();
      if (this.#tagAttributes.size < MAX_ATTRIBUTES && !this.#tagAttributes.has(this.#attributeName))
        this.#tagAttributes.set(this.#attributeName, this.#attributeValue);
    }
    this.#attributeValue = '';
  }

  onopentagend(end: number): void {
    if (this.#tag === 'script' && this.#unseenAt === 0) {
      const type = this.#tagAttributes?.get('type');
      if (JSON_LD_TYPE.test(type ?? '')) this.#jsonLdAt = end + 1;
      else if (isTexScript(type)) this.#texScript = { attributes: this.#tagAttributes ?? NO_ATTRIBUTES, at: end + 1 };
    }
    this.#openElement(false);
  }

  onselfclosingtag(): void {
    this.#openElement(this.isInForeignContext());
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#jsonLdAt !== undefined && name === 'script') {
      this.jsonLd.push(this.#html.slice(this.#jsonLdAt, start - '</'.length));
      this.#jsonLdAt = undefined;
    }
    if (this.#isEndOfDropped(name)) return;
    // What follows </body> is shown in the body all the same.
    if (!this.#isOpen(name) || name === 'body' || name === 'html') return;
    const at = this.#findOpen(name, scopeOfEndTag(name));
    if (at > 0) this.#closeFrom(at);
    if (name === 'script') this.#endTexScript(start - '</'.length);
  }

  #endTexScript(end: number): void {
    const script = this.#texScript;
    this.#texScript = undefined;
    if (script === undefined || this.#elementCount >= MAX_ELEMENTS) return;
    this.#elementCount += 2;
    putFormula(this.#innermost(), script.attributes, this.#html.slice(script.at, end));
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  isInForeignContext(): boolean {
    return this.#foreignDepth > 0;
  }

  #openElement(selfClosing: boolean): void {
    const name = this.#tag;
    if (name === '') return;
    this.#tag = '';
    const unseen = UNSEEN.has(name) && !(this.#withoutScripts && name === 'noscript');
    if (this.#isFull(unseen)) {
      this.#dropElement(name, selfClosing);
      return;
    }
    if (!this.isInForeignContext()) this.#closeImplied(name);

    const parent = this.#innermost();
    const element = { name, attributes: this.#tagAttributes ?? NO_ATTRIBUTES, children: [], parent };
    if (this.#isKept(name, unseen)) {
      parent.children.push(element);
      this.#elementCount += 1;
    }
    if (selfClosing || isVoid(name)) return;

    if (this.#unseenAt === 0 && unseen) this.#unseenAt = this.#open.length;
    this.#open.push(element);
    this.#openCount.set(name, (this.#openCount.get(name) ?? 0) + 1);
    if (name === 'svg' || name === 'math') this.#foreignDepth += 1;
  }

  #isKept(name: string, unseen: boolean): boolean {
    if (this.#elementCount >= MAX_ELEMENTS) return false;
    if (this.#unseenAt === 0) return !unseen || MEDIA.has(name);
    const isDirectlyIn = this.#open.length === this.#unseenAt + 1;
    return name === 'source' && isDirectlyIn && MEDIA.has(this.#open[this.#unseenAt]?.name ?? '');
  }

  /** What readers never see is still opened, or its text would be shown; it takes no room once it is closed. */
  #isFull(unseen: boolean): boolean {
    if (this.#open.length > MAX_ELEMENTS) return true;
    return this.#elementCount >= MAX_ELEMENTS && this.#unseenAt === 0 && !unseen;
  }

  #dropElement(name: string, selfClosing: boolean): void {
    this.#closeHead(name);
    // Words that stood apart stay apart.
    if (this.#unseenAt === 0 && (BLOCKS.has(name) || name === 'br')) this.#addText(' ');
    if (!selfClosing && !isVoid(name)) this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + 1);
  }

  #isEndOfDropped(name: string): boolean {
    const count = this.#dropped.get(name) ?? 0;
    if (count > 0) this.#dropped.set(name, count - 1);
    return count > 0;
  }

  #closeHead(next: string): void {
    if (this.#innermost().name === 'head' && !HEAD_ONLY.has(next)) this.#closeFrom(this.#open.length - 1);
  }

  #closeImplied(name: string): void {
    this.#closeHead(name);
    const rule = CLOSED_BY.get(name);
    if (rule === undefined) return;
    const at = this.#findOpenAmong(rule.closes, rule.within);
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
    // Entities arrive as pieces of their own; a reader sees one text.
    if (typeof before === 'string') children[last] = before + text;
    else children.push(text);
  }

  #innermost(): HtmlElement {
    return this.#open[Math.min(this.#open.length - 1, MAX_DEPTH)] ?? this.root;
  }

  #isOpen(name: string): boolean {
    return (this.#openCount.get(name) ?? 0) > 0;
  }

  /** Where the innermost open element of that name stands, or 0 when a barrier stands nearer. */
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
