import type { WebhookChange } from './message.ts';

/** Characters that are not allowed in a URI, and those that could end a URI inside a text: brackets, quotes, a bar. */
const NOT_IN_LINKS = /[^\w\-.~:/?#@!$&()*+,;=%]+/g;
/** An anchor is plain text; it is never already encoded. */
const NOT_IN_FRAGMENTS = /[^\w\-.~:/?@!$&()*+,;=]+/g;

/** The link to the page of a change, or to its section. */
export function changeUrl({ url, anchor }: Pick<WebhookChange, 'url' | 'anchor'>): string {
  const page = safeLink(url);
  return anchor === undefined ? page : `${page}#${anchor.toWellFormed().replace(NOT_IN_FRAGMENTS, percentEncoded)}`;
}

/** A foreign URL in ASCII, safe to put between brackets. */
export function safeLink(url: string): string {
  return url.toWellFormed().replace(NOT_IN_LINKS, percentEncoded);
}

/** Like encodeURIComponent, but also encodes quotes. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}
