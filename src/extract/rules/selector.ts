/**
 * Selector: which elements of a page a rule selects, in a subset of CSS.
 *
 *     nav.toc, #related > li, main [data-role~="ad"], time
 *
 * Supported: type, `*`, class, id, attribute (`=`, `~=`, `|=`, `^=`, `$=`, `*=`, with `i`), descendant, child, lists. Selectors that depend on a browser, on
 * siblings or on content are not.
 *
 * Spec: https://www.w3.org/TR/selectors-4/#grammar
 */
import { accept, type Result, refuse } from '../../codecs/primitives/result.ts';

/** An element by itself. */
export interface Compound {
  /** Undefined for any. */
  readonly type: string | undefined;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
}

export interface AttributeTest {
  readonly name: string;
  /** Absent: any value matches. */
  readonly operator?: string;
  readonly value: string;
  readonly ignoresCase: boolean;
}

/** One compound of a selector, and its relation to the next one. The last has no next. */
export interface SelectorStep {
  readonly compound: Compound;
  readonly next?: { readonly isChild: boolean; readonly step: SelectorStep };
}

const NAME = /(?:[\w-]|[^\0-\x7f]|\\[^\n\r\f0-9a-fA-F])+/y;
const SPACE = /[ \t\r\n\f]*/y;
const OPERATOR = /[~|^$*]?=/y;
const QUOTED = /"([^"\\\n]*)"|'([^'\\\n]*)'/y;
const CASE_FLAG = /[ \t\r\n\f]+([is])(?=[ \t\r\n\f]*\])/iy;

const KNOWN = 'Known are type, .class, #id, [attribute], a space for below, > for directly below, and commas.';

/** The selectors of a list, each as its first step. */
export function readSelectors(text: string): Result<readonly SelectorStep[]> {
  const scanner = new Scanner(text);
  const selectors: SelectorStep[] = [];
  try {
    do selectors.push(readSelector(scanner));
    while (scanner.takes(','));
    scanner.ensureEnd();
  } catch (error) {
    if (error instanceof SelectorFlaw) return refuse('', error.message);
    throw error;
  }
  return accept(selectors);
}

class SelectorFlaw extends Error {}

function readSelector(scanner: Scanner): SelectorStep {
  scanner.space();
  const compound = readCompound(scanner);
  const isApart = scanner.space() !== '';
  if (scanner.isAtEnd(',')) return { compound };
  const isChild = scanner.takes('>');
  if (!isChild && !isApart) throw scanner.flaw();
  return { compound, next: { isChild, step: readSelector(scanner) } };
}

function readCompound(scanner: Scanner): Compound {
  const ids: string[] = [];
  const classes: string[] = [];
  const attributes: AttributeTest[] = [];
  const any = scanner.takes('*');
  const type = any ? undefined : scanner.name()?.toLowerCase();
  for (;;) {
    if (scanner.takes('#')) ids.push(scanner.neededName());
    else if (scanner.takes('.')) classes.push(scanner.neededName());
    else if (scanner.takes('[')) attributes.push(readAttribute(scanner));
    else break;
  }
  const isEmpty = !any && type === undefined && ids.length + classes.length + attributes.length === 0;
  if (isEmpty) throw scanner.flaw();
  return { type, ids, classes, attributes };
}

function readAttribute(scanner: Scanner): AttributeTest {
  scanner.space();
  const name = scanner.neededName().toLowerCase();
  scanner.space();
  if (scanner.takes(']')) return { name, value: '', ignoresCase: false };
  const operator = scanner.neededOperator();
  scanner.space();
  const value = scanner.value();
  const ignoresCase = scanner.caseFlag() === 'i';
  scanner.space();
  if (!scanner.takes(']')) throw scanner.flaw();
  return { name, operator, value, ignoresCase };
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  takes(character: string): boolean {
    const isThere = this.#text.startsWith(character, this.#at);
    if (isThere) this.#at += character.length;
    return isThere;
  }

  space(): string {
    return this.#take(SPACE)?.[0] ?? '';
  }

  name(): string | undefined {
    return this.#take(NAME)?.[0].replaceAll('\\', '');
  }

  neededName(): string {
    const name = this.name();
    if (name === undefined) throw this.flaw();
    return name;
  }

  neededOperator(): string {
    const operator = this.#take(OPERATOR)?.[0];
    if (operator === undefined) throw this.flaw();
    return operator;
  }

  value(): string {
    const quoted = this.#take(QUOTED);
    return quoted === undefined ? this.neededName() : (quoted[1] ?? quoted[2] ?? '');
  }

  caseFlag(): string | undefined {
    return this.#take(CASE_FLAG)?.[1]?.toLowerCase();
  }

  /** Whether the text ends here, or one of these follows. */
  isAtEnd(...others: string[]): boolean {
    return this.#at >= this.#text.length || others.some((other) => this.#text.startsWith(other, this.#at));
  }

  ensureEnd(): void {
    if (!this.isAtEnd()) throw this.flaw();
  }

  flaw(): SelectorFlaw {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const place = rest === '' ? 'It ends too early.' : `It cannot be read from ${JSON.stringify(rest)} on.`;
    return new SelectorFlaw(`${place} ${KNOWN}`);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}
