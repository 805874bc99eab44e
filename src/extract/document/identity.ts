import { languageTagOf } from '../../codecs/aidocument/language-tag.ts';
import { headingTextOf } from '../heading-text.ts';
import { attribute, type HtmlElement } from '../html-tree.ts';
import type { PageParts } from './page-parts.ts';
import { shortText, shortTextOf } from './short-text.ts';

export const MAX_TITLE = 1000;
export const MAX_DESCRIPTION = 5000;

/**
 * `og:title`, else the first h1, else the title element. Blank ones are skipped (T-AWI-6).
 *
 * The h1 is the first that pruning left in `root`, so that a logo in the navigation is not used if the content has its own h1.
 */
export function titleOf(parts: PageParts, root: HtmlElement): string | undefined {
  const og = shortText(parts.meta.get('og:title') ?? '', MAX_TITLE);
  if (og !== '') return og;
  const h1 = firstH1(root) ?? firstText(parts.h1s);
  if (h1 !== undefined) return h1;
  const title = parts.title === undefined ? '' : shortTextOf(parts.title, MAX_TITLE);
  return title === '' ? undefined : title;
}

export function descriptionOf({ meta }: PageParts): string | undefined {
  return ['description', 'og:description']
    .map((name) => shortText(meta.get(name) ?? '', MAX_DESCRIPTION))
    .find((description) => description !== '');
}

/** The language that the page declares, in order of authority. Undefined if there is no valid tag. */
export function pageLanguageOf({ html, meta }: PageParts): string | undefined {
  const said = [
    html && attribute(html, 'lang'),
    html && attribute(html, 'xml:lang'),
    meta.get('content-language'),
    meta.get('og:locale'),
  ];
  for (const text of said) {
    const tag = text === undefined ? undefined : languageTagOf(text);
    if (tag !== undefined) return tag;
  }
  return undefined;
}

function firstText(headings: readonly HtmlElement[]): string | undefined {
  for (const heading of headings) {
    const text = shortText(headingTextOf(heading), MAX_TITLE);
    if (text !== '') return text;
  }
  return undefined;
}

function firstH1(element: HtmlElement): string | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const text = child.name === 'h1' ? firstText([child]) : firstH1(child);
    if (text !== undefined) return text;
  }
  return undefined;
}
