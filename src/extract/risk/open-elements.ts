import type { TagName } from '../tag-names.ts';

/** What a walker stores about an open element. */
export interface OpenElement {
  readonly tag: TagName;
}

/** Deeper elements count as children of the last one above, as in browsers. */
const MAX_DEPTH = 256;
/** How far up an implied or misplaced end tag looks for its start. Keeps hostile nesting linear. */
const MAX_SEARCH = 256;
const MAX_OPEN = 300_000;

/** The open elements of a page, the innermost last, closed by the same rules as in parse-html.ts. */
export class OpenElements<Element extends OpenElement> {
  foreignDepth = 0;
  readonly #root: Element;
  readonly #open: Element[];
  readonly #counts = new Map<string, number>();
  readonly #onClose: (element: Element) => void;

  constructor(root: Element, onClose: (element: Element) => void) {
    this.#root = root;
    this.#open = [root];
    this.#onClose = onClose;
  }

  get innermost(): Element {
    return this.#open[Math.min(this.#open.length - 1, MAX_DEPTH)] ?? this.#root;
  }

  push(element: Element): void {
    if (this.#open.length > MAX_OPEN) return;
    this.#open.push(element);
    const { name, isForeign } = element.tag;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (isForeign) this.foreignDepth += 1;
  }

  isOpen(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  /** Closes the elements that the start tag of such an element ends. */
  closeImplied({ isHeadOnly, closes }: TagName): void {
    if (!isHeadOnly && this.innermost.tag.name === 'head') this.#closeFrom(this.#open.length - 1);
    if (closes === undefined) return;
    for (const name of closes.closes) {
      if (!this.isOpen(name)) continue;
      const at = this.#find((open) => closes.closes.has(open), closes.within);
      if (at > 0) this.#closeFrom(at);
      return;
    }
  }

  /** Closes the elements that an end tag ends, if any. What follows `</body>` is still shown in the body. */
  closeTag({ name, scope }: TagName): boolean {
    if (!this.isOpen(name) || name === 'body' || name === 'html') return false;
    const at = this.#find((open) => open === name, scope);
    if (at > 0) this.#closeFrom(at);
    return at > 0;
  }

  closeAll(): void {
    this.#closeFrom(1);
  }

  #find(isWanted: (name: string) => boolean, barriers: ReadonlySet<string>): number {
    const lowest = Math.max(1, this.#open.length - MAX_SEARCH);
    for (let at = this.#open.length - 1; at >= lowest; at -= 1) {
      const name = this.#open[at]?.tag.name ?? '';
      if (isWanted(name)) return at;
      if (barriers.has(name)) return 0;
    }
    return 0;
  }

  #closeFrom(at: number): void {
    while (this.#open.length > at) {
      const closed = this.#open.pop();
      if (closed === undefined) return;
      const { name, isForeign } = closed.tag;
      this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1);
      if (isForeign) this.foreignDepth -= 1;
      this.#onClose(closed);
    }
  }
}
