import { attribute, type HtmlElement } from './html-tree.ts';
import { resolveLink } from './link-target.ts';
import type { Measure } from './measure.ts';

/** Whether a header contains only the name of the site: all its text is links to a folder above the page. */
export function isMasthead(header: HtmlElement, found: Measure, pageUrl: string): boolean {
  return found.links > 0 && found.linkText === found.text && leadsUp(header, pageUrl);
}

function leadsUp(element: HtmlElement, pageUrl: string): boolean {
  return element.children.every((child) => {
    if (typeof child === 'string') return true;
    if (child.name !== 'a') return leadsUp(child, pageUrl);
    const href = attribute(child, 'href');
    return href === undefined || isAbove(resolveLink(href, pageUrl) ?? '', pageUrl);
  });
}

/** The root counts as above itself, because it also shows the name of the site. */
function isAbove(target: string, pageUrl: string): boolean {
  const [folder, page] = [folderOf(target), pageUrl.replace(/[?#].*$/s, '')];
  return folder !== undefined && page.startsWith(folder) && (page !== folder || /^https?:\/\/[^/]+\/$/.test(page));
}

function folderOf(url: string): string | undefined {
  const folder = url.replace(/[?#].*$/s, '').replace(/\/index\.html?$/i, '/');
  return folder.endsWith('/') ? folder : undefined;
}
