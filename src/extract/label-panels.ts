import { attribute, elementText, type HtmlElement, type HtmlNode, isHeading } from './html-tree.ts';
import { panelsOfRadios } from './panels-of-radios.ts';
import { isTab, panelsOfTabs } from './panels-of-tabs.ts';

/**
 * Tabs: each panel gets its label as a title, in the same form as folded content (`<summary>`).
 *
 * The connection between label and panel decides (roles, ids, radio buttons, their order), never the name of a theme. Linear time.
 */
export function labelPanels(root: HtmlElement): void {
  const found: TabMarks = { marks: [], radioParents: new Set() };
  findMarks(root, found);
  if (found.marks.length === 0 && found.radioParents.size === 0) return;
  const labels = new Map([...panelsOfTabs(root, found.marks), ...panelsOfRadios(found.radioParents)]);
  const parents = new Set<HtmlElement>();
  for (const [panel, label] of labels) {
    if (label === '' || isBlank(panel) || isNamedInside(panel, label)) labels.delete(panel);
    else if (!TAKES_NO_TITLE.has(panel.name)) panel.children.unshift(titleIn(panel, label));
    else if (panel.parent !== undefined) parents.add(panel.parent);
  }
  for (const parent of parents) putTitlesBetween(parent, labels);
}

interface TabMarks {
  /** Tabs and panels, in document order. */
  readonly marks: HtmlElement[];
  readonly radioParents: Set<HtmlElement>;
}

function findMarks(element: HtmlElement, found: TabMarks): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (child.attributes.size > 0) {
      if (isTab(child) || attribute(child, 'role') === 'tabpanel') found.marks.push(child);
      else if (child.name === 'input' && attribute(child, 'type')?.toLowerCase() === 'radio')
        found.radioParents.add(element);
    }
    findMarks(child, found);
  }
}

/** In these elements a title would become code, a cell or an item, so it goes before them. */
const TAKES_NO_TITLE = new Set(['pre', 'code', 'table', 'ul', 'ol', 'dl', 'p', 'img', 'iframe', 'video']);

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

function titleIn(parent: HtmlElement, label: string): HtmlElement {
  return { name: 'summary', attributes: NO_ATTRIBUTES, children: [label], parent };
}

function putTitlesBetween(parent: HtmlElement, labels: ReadonlyMap<HtmlElement, string>): void {
  const titled = parent.children.flatMap((child): HtmlNode[] => {
    const label = typeof child === 'string' || !TAKES_NO_TITLE.has(child.name) ? undefined : labels.get(child);
    return label === undefined ? [child] : [titleIn(parent, label), child];
  });
  parent.children.length = 0;
  for (const child of titled) parent.children.push(child);
}

function isBlank(panel: HtmlElement): boolean {
  return panel.children.every((child) => typeof child === 'string' && child.trim() === '');
}

/** How deep the first element of a panel is looked for. */
const STEPS_DOWN = 5;

/** A panel that begins with a heading of the same words needs no other title. */
function isNamedInside(panel: HtmlElement, label: string): boolean {
  let node: HtmlNode | undefined = panel;
  for (let step = 0; step < STEPS_DOWN && node !== undefined && typeof node !== 'string'; step += 1) {
    if (isHeading(node)) return node.children.length < 20 && lettersOf(elementText(node)) === lettersOf(label);
    node = node.children.find((child) => typeof child !== 'string' || child.trim() !== '');
  }
  return false;
}

function lettersOf(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
