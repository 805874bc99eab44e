import type { DocumentLink } from '../../codecs/aidocument/wire.ts';
import { headingTextOf } from '../heading-text.ts';
import { attribute, type HtmlElement } from '../html-tree.ts';
import { shorten, shortTextOf } from './short-text.ts';
import { webAddress, withoutFragment } from './web-address.ts';

const MAX_TEXT = 1000;
const MAX_REL = 200;

/** The links of a page to places on the web; those to a place on the page itself are left out (T-AWI-11). */
export function readLinks(links: readonly HtmlElement[], pageUrl: string, base: string): DocumentLink[] {
  const host = new URL(pageUrl).hostname;
  const found: DocumentLink[] = [];
  for (const link of links) {
    const href = attribute(link, 'href') ?? '';
    if (/^\s*#/.test(href)) continue;
    const target = webAddress(href, base);
    if (target === undefined || (target.hash !== '' && withoutFragment(target.href) === pageUrl)) continue;

    const text = shortTextOf(link, MAX_TEXT) || altIn(link);
    const rel = shorten(attribute(link, 'rel') ?? '', MAX_REL);
    found.push({
      url: target.href,
      ...(text !== '' && { text }),
      internal: target.hostname === host,
      ...(rel !== '' && { rel }),
    });
  }
  return found;
}

/** A link that only shows a picture says what the picture says. */
function altIn(link: HtmlElement): string {
  return link.children.length === 0 ? '' : shorten(headingTextOf(link), MAX_TEXT);
}
