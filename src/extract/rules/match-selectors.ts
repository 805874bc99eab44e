import type { HtmlElement } from '../html-tree.ts';
import type { AttributeTest, Compound, SelectorStep } from './selector.ts';

/**
 * Calls `onMatch` with each outermost element below `root` that one of the selectors matches, in document order.
 *
 * One pass from above: an element knows which steps its ancestors have reached, so that no selector is tried twice on it. The cost is elements times steps,
 * whatever the nesting.
 */
export function matchSelectors(
  root: HtmlElement,
  selectors: readonly SelectorStep[],
  onMatch: (element: HtmlElement) => void,
): void {
  if (selectors.length > 0) visit(root, { anywhere: new Set(selectors), children: [] }, onMatch);
}

/** Steps that may match below an element: at any depth, or only as its children. */
interface Reached {
  readonly anywhere: ReadonlySet<SelectorStep>;
  readonly children: readonly SelectorStep[];
}

function visit(parent: HtmlElement, reached: Reached, onMatch: (element: HtmlElement) => void): void {
  for (const child of parent.children) {
    if (typeof child === 'string') continue;
    const inside = stepInto(child, reached);
    if (inside === undefined) onMatch(child);
    else visit(child, inside, onMatch);
  }
}

/** Undefined if a selector ends here: the element matches. */
function stepInto(element: HtmlElement, { anywhere, children }: Reached): Reached | undefined {
  const fresh: SelectorStep[] = [];
  const below: SelectorStep[] = [];
  for (const steps of [anywhere, children]) {
    for (const { compound, next } of steps) {
      if (!isMeant(element, compound)) continue;
      if (next === undefined) return undefined;
      if (next.isChild) below.push(next.step);
      else if (!anywhere.has(next.step)) fresh.push(next.step);
    }
  }
  return { anywhere: fresh.length === 0 ? anywhere : new Set([...anywhere, ...fresh]), children: below };
}

function isMeant({ name, attributes }: HtmlElement, compound: Compound): boolean {
  if (compound.type !== undefined && compound.type !== name) return false;
  return (
    compound.ids.every((id) => attributes.get('id') === id) &&
    compound.classes.every((word) => hasWord(attributes.get('class') ?? '', word)) &&
    compound.attributes.every((test) => passes(attributes.get(test.name), test))
  );
}

function passes(found: string | undefined, { operator, value: wanted, ignoresCase }: AttributeTest): boolean {
  if (found === undefined || operator === undefined) return found !== undefined;
  const [text, value] = ignoresCase ? [found.toLowerCase(), wanted.toLowerCase()] : [found, wanted];
  if (operator === '=') return text === value;
  if (operator === '|=') return text === value || text.startsWith(`${value}-`);
  // As in CSS: an empty value matches nothing, and a word contains no space.
  if (value === '' || (operator === '~=' && /\s/.test(value))) return false;
  if (operator === '^=') return text.startsWith(value);
  if (operator === '$=') return text.endsWith(value);
  return operator === '*=' ? text.includes(value) : hasWord(text, value);
}

/** Whether a text contains a word between white space. Does not split the text. */
function hasWord(text: string, word: string): boolean {
  if (text === word) return true;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (isSpace(text, at - 1) && isSpace(text, at + word.length)) return true;
  }
  return false;
}

/** Also true outside the text. */
function isSpace(text: string, at: number): boolean {
  return at < 0 || at >= text.length || ' \t\n\r\f'.includes(text.charAt(at));
}
