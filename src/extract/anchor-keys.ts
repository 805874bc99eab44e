import type { Page, Section } from '../model/page.ts';
import { baseOf } from './anchor-names.ts';
import { attribute, type HtmlElement } from './html-tree.ts';
import { parseHtml } from './parse-html.ts';

/**
 * Those of the given anchors that no browser would find: no element has them as its id, and no `<a>` as its name. Such are keys made from headings, and names
 * that distinguish headings with the same id. If all are ids, the page is not parsed.
 */
export function anchorKeys(page: Page, html: string, among: Iterable<string>): ReadonlySet<string> {
  const asked = new Set(among);
  const keys = new Set(page.sections.filter(mayBeKey).map(({ anchor }) => anchor));
  for (const key of keys) if (!asked.has(key)) keys.delete(key);
  if (keys.size === 0) return keys;
  const waiting: HtmlElement[] = [parseHtml(html)];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    keys.delete(attribute(element, 'id') ?? '');
    if (element.name === 'a') keys.delete(attribute(element, 'name') ?? '');
    for (const child of element.children) if (typeof child !== 'string') waiting.push(child);
  }
  return keys;
}

function mayBeKey({ anchor, anchorIs }: Section): boolean {
  return anchorIs === 'key' || baseOf(anchor) !== anchor;
}
