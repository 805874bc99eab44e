import { normalizeText } from './fingerprint.ts';
import { elementText, type HtmlElement } from './html-tree.ts';

export interface PageTitle {
  readonly title: string;
  /** The whole title element, including the name of the site. */
  readonly fullTitle: string;
}

/**
 * The title of a page: its single h1 if the title element agrees or is missing, else the title element.
 *
 * So another site name in the title is not a change, but another title is.
 */
export function pageTitle(
  element: HtmlElement | undefined,
  headings: readonly { readonly text: string; readonly level: number }[],
): PageTitle {
  const fullTitle = element === undefined ? '' : normalizeText(elementText(element));
  const [h1, another] = headings.filter(({ level }) => level === 1);
  const heading = h1 === undefined || another !== undefined ? '' : normalizeText(h1.text);
  const isHeading = heading !== '' && (fullTitle === '' || fullTitle.toLowerCase().includes(heading.toLowerCase()));
  return { title: isHeading ? heading : fullTitle, fullTitle };
}

/** The title element, wherever it is. */
export function titleElementOf(element: HtmlElement): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = child.name === 'title' ? child : titleElementOf(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
