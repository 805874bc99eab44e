/** Text is a plain string in the tree. */
export type HtmlNode = HtmlElement | string;

export interface HtmlElement {
  /** Lower case. */
  readonly name: string;
  /** Keys in lower case. The first of two equal ones counts. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: HtmlNode[];
  /** Absent on the root, and on elements that readers never see (scripts, styles, drawings). */
  readonly parent: HtmlElement | undefined;
}

const LEVELS: ReadonlyMap<string, number> = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, level]));

export function isHeading(element: HtmlElement): boolean {
  return LEVELS.has(element.name) || (element.attributes.size > 0 && element.attributes.get('role') === 'heading');
}

/** The text of an element and everything below it, as written, with `between` in place of each tag. */
export function elementText(element: HtmlElement, between = ''): string {
  const [only] = element.children;
  if (element.children.length === 1 && typeof only === 'string') return only;

  const pieces: string[] = [];
  collectText(element, pieces);
  return pieces.join(between);
}

function collectText(element: HtmlElement, pieces: string[]): void {
  for (const child of element.children) {
    if (typeof child === 'string') pieces.push(child);
    else collectText(child, pieces);
  }
}

/** 1 for h1 … 6 for h6. A heading by role has its aria-level, else 2 (https://www.w3.org/TR/wai-aria/#heading). */
export function levelOf(heading: HtmlElement): number {
  const own = LEVELS.get(heading.name);
  if (own !== undefined) return own;
  const level = attribute(heading, 'aria-level')?.trim() ?? '';
  return /^[1-9]$/.test(level) ? Math.min(Number(level), 6) : 2;
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attributes.get(name);
}
