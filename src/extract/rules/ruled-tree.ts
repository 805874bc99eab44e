import { HEAD_ONLY } from '../html-elements.ts';
import type { HtmlElement, HtmlNode } from '../html-tree.ts';
import { matchSelectors } from './match-selectors.ts';
import type { SelectorStep } from './selector.ts';

/** Which elements are read. */
export interface ElementRules {
  readonly ignore: readonly SelectorStep[];
  /** Empty: all. */
  readonly only: readonly SelectorStep[];
}

/** A tree with only what the rules keep. */
export interface RuledTree {
  readonly root: HtmlElement;
  /** The elements that `only` selected, with all their ancestors. Undefined if it selected nothing: then the page is read as usual. */
  readonly chosen: ReadonlySet<HtmlElement> | undefined;
}

/** Removes from the tree, in place, what the rules exclude. The head stays, because it describes the page. */
export function ruledTree(root: HtmlElement, { ignore, only }: ElementRules): RuledTree {
  const ignored = new Set<HtmlElement>();
  matchSelectors(root, ignore, (element) => ignored.add(element));
  for (const parent of new Set([...ignored].map((element) => element.parent ?? root))) {
    keepChildren(parent, (child) => !ignored.has(child));
  }
  return { root, chosen: choose(root, only) };
}

function choose(root: HtmlElement, only: readonly SelectorStep[]): ReadonlySet<HtmlElement> | undefined {
  const above = new Set<HtmlElement>();
  const chosen = new Set<HtmlElement>();
  matchSelectors(root, only, (element) => {
    chosen.add(element);
    for (let outer = element.parent; outer !== undefined && !above.has(outer); outer = outer.parent) above.add(outer);
  });
  if (chosen.size === 0) return undefined;
  for (const parent of above) {
    keepChildren(parent, (child) => chosen.has(child) || above.has(child) || HEAD_ONLY.has(child.name), {
      keepTexts: false,
    });
  }
  return new Set([...above, ...chosen]);
}

/** Adjacent texts are joined, as readers expect. */
function keepChildren(
  parent: HtmlElement,
  isKept: (child: HtmlElement) => boolean,
  { keepTexts = true }: { readonly keepTexts?: boolean } = {},
): void {
  const kept: HtmlNode[] = [];
  for (const child of parent.children) {
    const before = kept.at(-1);
    if (typeof child !== 'string') {
      if (isKept(child)) kept.push(child);
    } else if (typeof before === 'string') kept[kept.length - 1] = before + child;
    else if (keepTexts) kept.push(child);
  }
  parent.children.length = 0;
  for (const child of kept) parent.children.push(child);
}
