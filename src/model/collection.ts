/**
 * A part of a site that people may follow separately, as its author writes it in the settings:
 *
 *     { "path": "/my-shrine/", "title": "My shrine", "author": "Ann" }
 */
export interface CollectionSetting {
  /** The path of its pages: relative to the root of the host with a leading slash, otherwise relative to the site. */
  readonly path: string;
  readonly title?: string;
  readonly author?: string;
  /** The URL of an existing page or file about the collection. Without it, one is generated. */
  readonly describedby?: string;
}

/**
 * The name of a collection's feed in file names and paths. It is derived from the URL that identifies the collection and differs from all names in
 * `taken`. Only `a-z`, `0-9` and `-`.
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
