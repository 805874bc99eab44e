import { elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';

const LINE_ELEMENTS = new Set(['div', 'p', 'li', 'tr', 'ol', 'ul', 'table', 'tbody']);

/**
 * The lines of a `pre`, without line numbers, trailing spaces and surrounding empty lines. A number before a single line may be part of the code: `byName`
 * removes it if its class identifies it, which is for display and not for comparison.
 */
export function codeTextOf(pre: HtmlElement, { byName = false } = {}): string {
  const collector = new CodeCollector();
  collector.collect(pre);
  const text = collector.textWithoutNumbers(byName).replace(/\r\n?/g, '\n').replace(INVISIBLE, '');
  const lines = /[ \t\u00A0](?:\n|$)/.test(text)
    ? text
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
    : text;
  return withoutLinesAround(lines);
}

/** Invisible characters at which a long name may be broken. */
const INVISIBLE = /[\u00AD\u200B\uFEFF]/g;

function withoutLinesAround(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\n') start += 1;
  while (end > start && text[end - 1] === '\n') end -= 1;
  return text.slice(start, end);
}

/** A column of line numbers is not code. */
export function isLineNumbers(code: string): boolean {
  if (!/^\s*\d+(?:\s+\d+)*\s*$/.test(code)) return false;
  const numbers = code.trim().split(/\s+/).map(Number);
  return numbers.length > 1 && numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1);
}

/** Pygments, Chroma, Rouge, Prism. */
const NUMBER_NAME = /(?:^|\s)(?:linenos?|lineno|ln|lnt|line-?numbers?|gutter)(?:\s|$)/i;

class CodeCollector {
  readonly #pieces: string[] = [];
  /** Elements at the beginning of a line that contain only a number. */
  readonly #numbers: {
    readonly at: number;
    readonly number: number;
    readonly isCell: boolean;
    readonly isNamed: boolean;
  }[] = [];

  collect(element: HtmlElement): void {
    if (isLineOfSpans(element)) {
      for (const line of element.children) {
        if (typeof line === 'string') continue;
        this.collect(line);
        this.#pieces.push('\n');
      }
      return;
    }
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (child !== '') this.#pieces.push(child);
      } else if (child.name === 'br') {
        this.#pieces.push('\n');
      } else if (!isGutter(child)) {
        this.#element(child);
      }
    }
  }

  textWithoutNumbers(byName: boolean): string {
    if (!this.#isNumbered(byName)) return this.#pieces.join('');
    const dropped = new Set(this.#numbers.map(({ at }) => at));
    return this.#pieces.filter((_, at) => !dropped.has(at)).join('');
  }

  #element(element: HtmlElement): void {
    const ownLine = LINE_ELEMENTS.has(element.name);
    if (ownLine) this.#startLine();
    const [only] = element.children;
    if (element.children.length === 1 && typeof only === 'string' && this.#isAtStart() && /^\s*\d{1,6}\s*$/.test(only))
      this.#numbers.push({
        at: this.#pieces.length,
        number: Number(only),
        isCell: element.name === 'td',
        isNamed: NUMBER_NAME.test(element.attributes.get('class') ?? ''),
      });
    this.collect(element);
    if (ownLine) this.#startLine();
  }

  #isAtStart(): boolean {
    return this.#pieces.at(-1)?.endsWith('\n') !== false;
  }

  #startLine(): void {
    if (!this.#isAtStart()) this.#pieces.push('\n');
  }

  /** Whether every line begins with its number. */
  #isNumbered(byName: boolean): boolean {
    const numbers = this.#numbers;
    const [first] = numbers;
    if (numbers.length < 2 && first?.isCell !== true && !(byName && first?.isNamed === true)) return false;
    if (!numbers.every(({ number }, at) => at === 0 || number === (numbers[at - 1]?.number ?? 0) + 1)) return false;
    return this.#pieces.join('').trim().split('\n').length === numbers.length;
  }
}

/** Lines that only a style sheet separates: several spans that contain only spans, without any line end. */
function isLineOfSpans(element: HtmlElement): boolean {
  const { children } = element;
  if (element.name !== 'code' || children.length < 2) return false;
  const isLine = (line: HtmlNode) => typeof line !== 'string' && line.name === 'span' && line.children.every(isToken);
  const isToken = (token: HtmlNode) => typeof token !== 'string' && token.name === 'span';
  if (!children.every(isLine) || !children.some((line) => typeof line !== 'string' && line.children.length > 1))
    return false;
  return !elementText(element).includes('\n') && !holdsBreak(element);
}

function holdsBreak(element: HtmlElement): boolean {
  return element.children.some((child) => typeof child !== 'string' && (child.name === 'br' || holdsBreak(child)));
}

/** The numbers of all lines in one column beside the code, as Rouge writes them inside a `pre`. */
function isGutter(element: HtmlElement): boolean {
  if (element.name !== 'td') return false;
  const cells = element.parent?.children.filter((node) => typeof node !== 'string') ?? [];
  return cells.length > 1 && cells[0] === element && isLineNumbers(elementText(element));
}
