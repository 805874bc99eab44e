import { attribute, type HtmlElement } from './html-tree.ts';

const MAX_TITLE = 200;

/**
 * ` "title"` after the address of a link, if it says something that neither the words nor the address do: wikis and generators give links the name of the page
 * or function they lead to.
 */
export function linkTitle(link: HtmlElement, words: string, href: string): string {
  const title = attribute(link, 'title')?.replace(/\s+/g, ' ').trim() ?? '';
  if (title === '' || title.length > MAX_TITLE || /^https?:/i.test(title)) return '';
  const letters = lettersOf(title);
  if (letters === '' || lettersOf(words).includes(letters) || lettersOf(decoded(href)).includes(letters)) return '';
  return ` "${title.replaceAll('\\', '\\\\').replaceAll('"', "'")}"`;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
