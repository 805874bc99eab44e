import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { HEAD_ONLY } from './html-elements.ts';
import { attribute, type HtmlElement } from './html-tree.ts';
import { parseHtml } from './parse-html.ts';

export interface HeadLink {
  /** In lower case. */
  readonly rels: readonly string[];
  /** Absolute. */
  readonly url: string;
}

const MAX_LINKS = 200;
const MAX_RELATIONS = 10;

/** The `<link>`s in the head of a page. Those in its body may come from anybody. */
export function headLinks(html: string, pageUrl: string): readonly HeadLink[] {
  const links: HtmlElement[] = [];
  let base = pageUrl;
  /** False once the body has begun. */
  const walk = (element: HtmlElement): boolean => {
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '' && element.name !== 'title') return false;
        continue;
      }
      if (!HEAD_ONLY.has(child.name)) return false;
      if (child.name === 'link' && links.length < MAX_LINKS) links.push(child);
      if (child.name === 'base') base = resolved(attribute(child, 'href'), pageUrl) ?? base;
      if ((child.name === 'html' || child.name === 'head') && !walk(child)) return false;
    }
    return true;
  };
  walk(parseHtml(html));
  return links.flatMap((link) => {
    const url = resolved(attribute(link, 'href'), base);
    const rels = (attribute(link, 'rel') ?? '').toLowerCase().trim().split(/\s+/, MAX_RELATIONS);
    return url === undefined ? [] : [{ rels, url }];
  });
}

function resolved(href: string | undefined, base: string): string | undefined {
  const trimmed = href?.trim() ?? '';
  return trimmed !== '' && canParseUrl(trimmed, base) ? new URL(trimmed, base).href : undefined;
}
