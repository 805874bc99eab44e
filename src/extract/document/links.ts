import type { DocumentLink } from '../../codecs/aidocument/wire.ts';
import { withoutFragment } from '../../codecs/primitives/without-fragment.ts';
import { headingTextOf } from '../heading-text.ts';
import { attribute, type HtmlElement } from '../html-tree.ts';
import { shortText, shortTextOf } from './short-text.ts';
import { webAddress } from './web-address.ts';

const MAX_TEXT = 1000;
const MAX_REL = 200;

/** The links of a page to web addresses, without those to a place on the page itself (T-AWI-11). */
export function readLinks(links: readonly HtmlElement[], pageUrl: string, base: string): DocumentLink[] {
  const found: DocumentLink[] = [];
  const place = linkPlace(pageUrl, base);
  for (const link of links) {
    const href = attribute(link, 'href') ?? '';
    const entry = linkTo(href, () => shortTextOf(link, MAX_TEXT) || altIn(link), place);
    const rel = shortText(attribute(link, 'rel') ?? '', MAX_REL);
    if (entry !== undefined) found.push({ ...entry, ...(rel !== '' && { rel }) });
  }
  return found;
}

/** The page that contains the links. */
interface LinkPlace {
  readonly pageUrl: string;
  readonly base: string;
  readonly hostname: string;
}

export function linkPlace(pageUrl: string, base: string): LinkPlace {
  return { pageUrl, base, hostname: new URL(pageUrl).hostname };
}

/** The target of a link. Undefined unless it is another place on the web. */
export function linkTo(href: string, textOf: () => string, place: LinkPlace): DocumentLink | undefined {
  const { pageUrl, base, hostname } = place;
  if (/^\s*#/.test(href)) return undefined;
  const target = webAddress(href, base);
  if (target === undefined || (target.hash !== '' && withoutFragment(target.href) === pageUrl)) return undefined;
  const text = shortText(textOf(), MAX_TEXT);
  return { url: target.href, ...(text !== '' && { text }), internal: target.hostname === hostname };
}

/** The text of a link that only contains an image is that of the image. */
function altIn(link: HtmlElement): string {
  return link.children.length === 0 ? '' : headingTextOf(link);
}
