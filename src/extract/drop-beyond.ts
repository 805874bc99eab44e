import { elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { isLeadElsewhere } from './lead-elsewhere.ts';
import type { Measures } from './measure.ts';

/**
 * Removes lists of links after the article whose heading leads to other pages: related posts, what to read next.
 *
 * A template writes them there. "Related topics" inside an article are the author's, and so is a list of downloads after it.
 */
export function dropBeyond(main: HtmlElement, measures: Measures): void {
  const article = articleIn(main, measures);
  for (let inner = article; inner !== undefined && inner !== main; inner = inner.parent) {
    const siblings = inner.parent?.children;
    if (siblings === undefined) return;
    const place = siblings.indexOf(inner);
    const kept = siblings.filter((child, at) => at <= place || !leadsOn(child, measures));
    siblings.splice(0, siblings.length, ...kept);
  }
}

function leadsOn(node: HtmlNode, measures: Measures): boolean {
  const found = typeof node === 'string' ? undefined : measures.get(node);
  if (found?.firstHeading === undefined || found.headingsAtTop > 1 || !found.isListOfLinks()) return false;
  return isLeadElsewhere(elementText(found.firstHeading).trim());
}

/** The article that contains the title of the page. */
function articleIn(main: HtmlElement, measures: Measures): HtmlElement | undefined {
  let element: HtmlElement | undefined = main;
  while (element !== undefined && element.name !== 'article') {
    const inside: readonly (string | HtmlElement)[] = element.children;
    element = inside.find(
      (child): child is HtmlElement => typeof child !== 'string' && measures.get(child)?.hasH1 === true,
    );
  }
  return element;
}
