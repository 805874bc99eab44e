/**
 * The HTML of an entry as values. Texts are always escaped, so foreign text cannot become markup.
 *
 * Offers only elements that feed readers keep, without classes, styles or scripts.
 */

import { strictHttpUrl } from './http-url.ts';

export type HtmlInline =
  | string
  | { readonly tag: 'strong' | 'em' | 'code' | 'ins' | 'del'; readonly children: readonly HtmlInline[] }
  | { readonly tag: 'a'; readonly url: string; readonly children: readonly HtmlInline[] }
  | { readonly tag: 'br' };

export type HtmlBlock =
  | { readonly tag: 'p' | 'h3' | 'h4' | 'pre'; readonly children: readonly HtmlInline[] }
  | { readonly tag: 'blockquote'; readonly children: readonly HtmlBlock[] }
  | { readonly tag: 'ul' | 'ol'; readonly items: readonly (readonly (HtmlInline | HtmlBlock)[])[] };

/**
 * A paragraph.
 *
 * @example
 * encodeHtml([paragraph('Changed: ', link('https://docs.example/a', 'Rate limits'))]);
 */
export function paragraph(...children: readonly HtmlInline[]): HtmlBlock {
  return { tag: 'p', children };
}

/**
 * An unordered list. Each item may hold texts, links and further lists.
 *
 * @example
 * list([['first'], ['second, with ', link('https://docs.example/b', 'a link')]]);
 */
export function list(items: readonly (readonly (HtmlInline | HtmlBlock)[])[]): HtmlBlock {
  return { tag: 'ul', items };
}

/**
 * A link, or only its text if the URL is not an absolute http or https URL.
 *
 * @example
 * link('javascript:alert(1)', 'Rate limits'); // 'Rate limits'
 */
export function link(url: string, text: string): HtmlInline {
  const target = strictHttpUrl(url);
  const shown = text.trim() === '' ? (target ?? url) : text;
  return target === undefined ? shown : { tag: 'a', url: target, children: [shown] };
}

/**
 * A text before and after a change. An empty side is left out.
 *
 * @example
 * encodeHtml([beforeAfter('60 requests', '100 requests')]); // <p><del>60 requests</del> → <ins>100 requests</ins></p>
 */
export function beforeAfter(before: string, after: string): HtmlBlock {
  return paragraph(...oldAndNew(before, after));
}

/** The same within a line. */
export function oldAndNew(before: string, after: string): HtmlInline[] {
  const old: HtmlInline = { tag: 'del', children: [before] };
  const now: HtmlInline = { tag: 'ins', children: [after] };
  if (before === '') return [now];
  return after === '' ? [old] : [old, ' → ', now];
}

/**
 * Encodes the markup on one line. Characters that XML cannot contain become U+FFFD.
 *
 * @example
 * encodeHtml([paragraph('a < b')]); // <p>a &lt; b</p>
 */
export function encodeHtml(blocks: readonly HtmlBlock[]): string {
  return blocks.map(encodeNode).join('');
}

function encodeNode(node: HtmlInline | HtmlBlock): string {
  if (typeof node === 'string') return escapeMarkup(node);
  switch (node.tag) {
    case 'br':
      return '<br>';
    case 'a': {
      const inner = node.children.map(encodeNode).join('');
      const url = strictHttpUrl(node.url);
      return url === undefined ? inner : `<a href="${escapeMarkup(url)}">${inner}</a>`;
    }
    case 'ul':
    case 'ol':
      return `<${node.tag}>${node.items.map((item) => `<li>${item.map(encodeNode).join('')}</li>`).join('')}</${node.tag}>`;
    default:
      return `<${node.tag}>${node.children.map(encodeNode).join('')}</${node.tag}>`;
  }
}

/** Escapes quotes too, so that the text is safe in an attribute. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
