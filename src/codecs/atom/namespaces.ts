import type { LenientElement } from './lenient-xml.ts';

/** The namespaces that matter in feeds, with the prefix used for them here. A final `/` or `#` and `https` make no difference. */
const SPACES: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['http://www.w3.org/2005/atom', 'atom:'],
  ['http://purl.org/atom/ns', 'atom:'],
  ['http://purl.org/rss/1.0', ''],
  ['http://my.netscape.com/rdf/simple/0.9', ''],
  ['http://channel.netscape.com/rdf/simple/0.9', ''],
  ['http://my.netscape.com/publish/formats/rss-0.91.dtd', ''],
  ['http://backend.userland.com/rss', ''],
  ['http://backend.userland.com/rss2', ''],
  ['http://blogs.law.harvard.edu/tech/rss', ''],
  ['http://cyber.law.harvard.edu/rss/rss.html', ''],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns', 'rdf:'],
  ['http://purl.org/dc/elements/1.1', 'dc:'],
  ['http://purl.org/dc/elements/1.0', 'dc:'],
  ['http://purl.org/dc/terms', 'dcterms:'],
  ['http://purl.org/rss/1.0/modules/content', 'content:'],
  ['http://purl.org/syndication/history/1.0', 'fh:'],
  ['http://search.yahoo.com/mrss', 'media:'],
  ['http://www.w3.org/1999/xhtml', 'xhtml:'],
]);
/** The meaning of well-known prefixes that are not declared. */
const PREFIXES: ReadonlyMap<string, string> = new Map(
  ['atom', 'rdf', 'dc', 'dcterms', 'content', 'fh', 'media', 'xhtml'].map((prefix) => [prefix, `${prefix}:`]),
);

/** The name of an element as used in a FeedElement. */
export function feedElementName({ prefix, local, uri }: Pick<LenientElement, 'prefix' | 'local' | 'uri'>): string {
  const space = uri === undefined ? PREFIXES.get(prefix.toLowerCase()) : SPACES.get(normal(uri));
  return `${space ?? 'other:'}${local.toLowerCase()}`;
}

function normal(uri: string): string {
  return uri
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/[/#]$/, '');
}
