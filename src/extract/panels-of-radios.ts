import { attribute, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { labelOf, panelsBeside } from './panels-of-tabs.ts';
import { elementAfter } from './place-among.ts';

/**
 * Tabs without scripts: radio buttons, their labels, and as many panels. The labels are removed if panels were found.
 *
 * Labels are beside their buttons or in a separate element. Each panel is after its label, or all are in the element after the labels.
 */
export function panelsOfRadios(parents: Iterable<HtmlElement>): Map<HtmlElement, string> {
  const labels = new Map<HtmlElement, string>();
  for (const parent of parents) {
    const ids = radioIdsIn(parent);
    const set = labelsBeside(parent, ids);
    const panels = set === undefined ? [] : panelsOf(set);
    if (set === undefined || panels.length === 0 || set.labels.some((label) => labelOf(label) === '')) continue;
    for (const [at, panel] of panels.entries()) labels.set(panel, labelOf(set.labels[at]));
    takeOut(set.parent, new Set(set.labels));
  }
  return labels;
}

interface LabelSet {
  readonly parent: HtmlElement;
  readonly labels: readonly HtmlElement[];
}

function radioIdsIn(parent: HtmlElement): Set<string> {
  const ids = new Set<string>();
  for (const child of parent.children) {
    const id = typeof child !== 'string' && child.name === 'input' ? attribute(child, 'id') : undefined;
    if (id !== undefined && id !== '') ids.add(id);
  }
  return ids;
}

function labelsBeside(parent: HtmlElement, ids: ReadonlySet<string>): LabelSet | undefined {
  if (ids.size === 0) return undefined;
  const own = labelsIn(parent, ids);
  if (own.length > 0) return own.length === ids.size ? { parent, labels: own } : undefined;
  for (const child of parent.children) {
    if (typeof child === 'string' || child.name === 'input') continue;
    const labels = labelsIn(child, ids);
    return labels.length === ids.size ? { parent: child, labels } : undefined;
  }
  return undefined;
}

function labelsIn(element: HtmlElement, ids: ReadonlySet<string>): HtmlElement[] {
  return element.children.filter(
    (child: HtmlNode): child is HtmlElement =>
      typeof child !== 'string' && child.name === 'label' && ids.has(attribute(child, 'for') ?? ''),
  );
}

function panelsOf({ parent, labels }: LabelSet): readonly HtmlElement[] {
  const behind = labels.map(elementAfter).filter((next) => next !== undefined && !NO_PANELS.has(next.name));
  if (behind.length === labels.length) return behind.filter((panel) => panel !== undefined);
  return behind.length === 0 ? panelsBeside(parent, labels.length) : [];
}

const NO_PANELS = new Set(['input', 'label', 'br', 'span', 'small']);

function takeOut(parent: HtmlElement, taken: ReadonlySet<HtmlElement>): void {
  const kept = parent.children.filter((child) => typeof child === 'string' || !taken.has(child));
  parent.children.length = 0;
  for (const child of kept) parent.children.push(child);
}
