import { canParseUrl } from '../primitives/can-parse-url.ts';
import { foldSlashes, normalPath } from './normal-path.ts';

export const ROBOTS_PATH = '/robots.txt';

/** What rules are compared with: the path and the query of a URL, in normal form. */
export interface UrlPath {
  readonly asWritten: string;
  /** With the `%2F` and `%3F` of the query as characters, which mean the same there (RFC 9309 §2.2.2, table). */
  readonly folded: string;
}

/** Undefined when `url` has no path that a server could be asked for. A path alone is taken as one. */
export function urlPath(url: string | URL): UrlPath | undefined {
  const text = url.toString();
  if (!canParseUrl(text, 'http://localhost/')) return undefined;
  const { href } = new URL(text, 'http://localhost/');
  // Not `pathname` and `search`: those lose the `?` of an empty query, which is sent all the same.
  const authority = href.indexOf('://');
  const start = authority === -1 ? -1 : href.indexOf('/', authority + 3);
  if (start === -1) return undefined;

  const fragment = href.indexOf('#', start);
  const asWritten = normalPath(href.slice(start, fragment === -1 ? undefined : fragment));
  const query = asWritten.indexOf('?');
  if (query === -1) return { asWritten, folded: asWritten };
  return { asWritten, folded: asWritten.slice(0, query) + foldSlashes(asWritten.slice(query)) };
}
