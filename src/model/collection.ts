/**
 * A part of a site that people may follow by itself, as its author writes it down:
 *
 *     { "path": "/my-shrine/", "title": "My shrine", "author": "Ann" }
 */
export interface CollectionSetting {
  /** Of its pages, from the root of the host, or from the site where it does not begin with a slash. */
  readonly path: string;
  readonly title?: string;
  readonly author?: string;
  /** The URL of a page or file about it, in place of one that is written. */
  readonly describedby?: string;
}

/**
 * What the feed of a collection is called, in a file name or a path: from the URL that identifies the collection, and none of the
 * names that are taken. Only `a-z`, `0-9` and `-`.
 *
 * @example
 * collectionName('https://example.com/my-shrine/', new Set()); // 'my-shrine'
 */
export function collectionName(describes: string, taken: ReadonlySet<string>): string {
  const { host, pathname, search } = new URL(describes);
  const base = slug(decoded(pathname) + search) || slug(host) || 'collection';
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  return name;
}

const MAX_LENGTH = 80;

function slug(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  return plain
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
