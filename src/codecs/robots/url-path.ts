import { canParseUrl } from '../primitives/can-parse-url.ts';
import { foldSlashes, normalPath } from './normal-path.ts';

export const ROBOTS_PATH = '/robots.txt';

/** The part of a URL that rules are matched against: its path and query, in normal form. */
export interface UrlPath {
  readonly asWritten: string;
  /** With `%2F` and `%3F` decoded in the query, where both forms mean the same (RFC 9309 §2.2.2, table). */
  readonly folded: string;
}

/** Undefined if `url` has no path that a client could request. Accepts a path alone. */
export function urlPath(url: string | URL): UrlPath | undefined {
  const text = url.toString();
  if (!canParseUrl(text, 'http://localhost/')) return undefined;
  const { href } = new URL(text, 'http://localhost/');
  // Not `pathname` and `search`: they lose the `?` of an empty query, which clients do send.
  const authority = href.indexOf('://');
  const start = authority === -1 ? -1 : href.indexOf('/', authority + 3);
  if (start === -1) return undefined;

  const fragment = href.indexOf('#', start);
  const asWritten = normalPath(href.slice(start, fragment === -1 ? undefined : fragment));
  const query = asWritten.indexOf('?');
  if (query === -1) return { asWritten, folded: asWritten };
  return { asWritten, folded: asWritten.slice(0, query) + foldSlashes(asWritten.slice(query)) };
}
