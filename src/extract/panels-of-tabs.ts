import { attribute, elementText, type HtmlElement } from './html-tree.ts';
import { elementAfter } from './place-among.ts';

/** Longer texts are not labels. */
const MAX_LABEL = 100;
/** How far above a tab its list may be, and how far beside the list its panels. */
const STEPS_ABOVE = 4;

/** A tab by its role, or by the attributes of Bootstrap. */
export function isTab(element: HtmlElement): boolean {
  if (attribute(element, 'role') === 'tab') return true;
  return TOGGLES.has(attribute(element, 'data-toggle') ?? attribute(element, 'data-bs-toggle') ?? '');
}

const TOGGLES = new Set(['tab', 'pill']);

/** A larger element is not a list of labels, and is not searched to the end. */
const MAX_LIST_NODES = 2_000;

/** Whether a list of tabs also contains their panels, like accordions with these roles. */
export function holdsPanels(list: HtmlElement): boolean {
  const waiting: HtmlElement[] = [list];
  for (let nodes = 0; nodes < MAX_LIST_NODES; nodes += 1) {
    const element = waiting.pop();
    if (element === undefined) return false;
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      if (child.name === 'p' || attribute(child, 'role') === 'tabpanel') return true;
      if (waiting.length < MAX_LIST_NODES) waiting.push(child);
    }
  }
  return true;
}

interface TabGroup {
  readonly list: HtmlElement;
  readonly tabs: HtmlElement[];
  /** The panels after the tabs, as many as there are tabs. */
  readonly panels: HtmlElement[];
}

/**
 * The label of each panel of ARIA tabs. `marks` are tabs and panels in document order.
 *
 * Spec: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ — ids connect them. If a generator omits the ids, the order does.
 */
export function panelsOfTabs(root: HtmlElement, marks: readonly HtmlElement[]): Map<HtmlElement, string> {
  const labels = new Map<HtmlElement, string>();
  if (marks.length === 0) return labels;
  const byId = elementsById(root, idsNamedBy(marks));
  const accordions = new Set<HtmlElement>();
  for (const group of groupsOf(marks)) {
    // The headings of an accordion are already above their panels.
    if (holdsPanels(group.list)) {
      accordions.add(group.list);
      continue;
    }
    if (!tieByIds(group, byId, labels)) tieByOrder(group, labels);
  }
  for (const panel of marks) {
    const tab = isTab(panel) ? undefined : byId.get(attribute(panel, 'aria-labelledby') ?? '');
    if (tab !== undefined && isTab(tab) && !accordions.has(listOf(tab))) labels.set(panel, labelOf(tab));
  }
  return labels;
}

function groupsOf(marks: readonly HtmlElement[]): TabGroup[] {
  const groups: TabGroup[] = [];
  // Tabs inside a panel are complete before the next panel of the outer tabs.
  const open: TabGroup[] = [];
  for (const mark of marks) {
    if (isTab(mark)) {
      const list = listOf(mark);
      const last = groups.at(-1);
      if (last?.list === list && last.panels.length === 0) last.tabs.push(mark);
      else {
        const group = { list, tabs: [mark], panels: [] };
        groups.push(group);
        open.push(group);
      }
    } else {
      while ((open.at(-1)?.panels.length ?? 0) >= (open.at(-1)?.tabs.length ?? Number.POSITIVE_INFINITY)) open.pop();
      open.at(-1)?.panels.push(mark);
    }
  }
  return groups;
}

function listOf(tab: HtmlElement): HtmlElement {
  let element = tab.parent;
  for (let step = 0; step < STEPS_ABOVE && element !== undefined; step += 1, element = element.parent)
    if (attribute(element, 'role') === 'tablist' || element.name === 'ul' || element.name === 'ol') return element;
  return tab.parent ?? tab;
}

function tieByIds({ tabs }: TabGroup, byId: ReadonlyMap<string, HtmlElement>, labels: Map<HtmlElement, string>) {
  let tied = 0;
  for (const tab of tabs) {
    const panel = byId.get(panelId(tab) ?? '');
    if (panel === undefined || isTab(panel)) continue;
    labels.set(panel, labelOf(tab));
    tied += 1;
  }
  return tied > 0;
}

function tieByOrder({ list, tabs, panels }: TabGroup, labels: Map<HtmlElement, string>): void {
  const areSiblings = panels.every(({ parent }) => parent === panels[0]?.parent);
  const inOrder = panels.length === tabs.length && areSiblings ? panels : panelsBeside(list, tabs.length);
  if (panels.length === 0 || inOrder === panels)
    for (const [at, panel] of inOrder.entries()) labels.set(panel, labelOf(tabs[at]));
  else if (panels[0] !== undefined) {
    // A page may contain only the visible panel and fetch the others.
    const chosen = tabs.find((tab) => attribute(tab, 'aria-selected') === 'true');
    if (chosen !== undefined && panels.length === 1) labels.set(panels[0], labelOf(chosen));
  }
}

/** The children of the element after the list, if there are as many as tabs. */
export function panelsBeside(list: HtmlElement, count: number): readonly HtmlElement[] {
  let above: HtmlElement | undefined = list;
  for (let step = 0; step < 2 && above !== undefined; step += 1, above = above.parent) {
    const next = elementAfter(above);
    if (next === undefined) continue;
    const panels = next.children.filter((child) => typeof child !== 'string');
    return panels.length === count ? panels : [];
  }
  return [];
}

function idsNamedBy(marks: readonly HtmlElement[]): Set<string> {
  const ids = new Set<string>();
  for (const mark of marks) {
    const id = isTab(mark) ? panelId(mark) : attribute(mark, 'aria-labelledby');
    if (id !== undefined && id !== '') ids.add(id);
  }
  return ids;
}

function panelId(tab: HtmlElement): string | undefined {
  const id = attribute(tab, 'aria-controls');
  if (id !== undefined && id !== '') return id;
  const target = attribute(tab, 'data-bs-target') ?? attribute(tab, 'data-target') ?? attribute(tab, 'href');
  return target?.startsWith('#') === true && target.length > 1 ? target.slice(1) : undefined;
}

function elementsById(root: HtmlElement, ids: ReadonlySet<string>): Map<string, HtmlElement> {
  const found = new Map<string, HtmlElement>();
  const visit = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      const id = attribute(child, 'id');
      if (id !== undefined && ids.has(id) && !found.has(id)) found.set(id, child);
      visit(child);
    }
  };
  if (ids.size > 0) visit(root);
  return found;
}

/** The words of a label. Empty if there are none, or too many. */
export function labelOf(tab: HtmlElement | undefined): string {
  if (tab === undefined) return '';
  const text = elementText(tab, ' ').replace(/\s+/g, ' ').trim();
  const label = text === '' ? (attribute(tab, 'aria-label') ?? attribute(tab, 'title') ?? '').trim() : text;
  return label.length > MAX_LABEL || COUNTED.test(label) ? '' : onceSaid(label);
}

/** Labels of the dots below a slide show. */
const COUNTED = /^(?:(?:go to )?(?:item|slide) \d+|\d+ (?:of|\/) \d+)(?: of \d+)?$/i;

/** Reduces a label whose words are written twice, once for each of two layouts. */
function onceSaid(label: string): string {
  const half = label.slice(0, label.length >> 1);
  return label.length % 2 === 1 && label === `${half} ${half}` ? half : label;
}
