import type { WebhookChange } from './message.ts';

/** Everything that no URI holds, and what could end one inside of a text: brackets, quotes, a bar. */
const NOT_IN_LINKS = /[^\w\-.~:/?#@!$&()*+,;=%]+/g;
/** An anchor is text, never encoded before. */
const NOT_IN_FRAGMENTS = /[^\w\-.~:/?@!$&()*+,;=]+/g;

/** The page of a change, or its section, as a link. */
export function changeUrl({ url, anchor }: Pick<WebhookChange, 'url' | 'anchor'>): string {
  const page = safeLink(url);
  return anchor === undefined ? page : `${page}#${anchor.toWellFormed().replace(NOT_IN_FRAGMENTS, percentEncoded)}`;
}

/** A URL of others, in ASCII, that can stand in brackets. */
export function safeLink(url: string): string {
  return url.toWellFormed().replace(NOT_IN_LINKS, percentEncoded);
}

/** As encodeURIComponent, which leaves quotes as they are. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}
