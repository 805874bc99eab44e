import { childrenOf, type FeedElement } from './element.ts';
import { httpUrl } from './http-url.ts';

export interface WebFeedLink {
  readonly rel: string;
  readonly url: string;
  readonly type: string;
}

/** Relations may be written as URLs of the registry. */
const REGISTRY = /^https?:\/\/www\.iana\.org\/assignments\/(?:link-)?relations?\/(?:#)?/;

const MAX_RELATIONS = 10;

/** The Atom links that are direct children of an element, made absolute. Links without a valid address are left out. */
export function linksOf(element: FeedElement, name = 'atom:link'): readonly WebFeedLink[] {
  return childrenOf(element, name).flatMap(({ attributes, base }) => {
    const url = httpUrl(attributes.get('href') ?? '', base);
    if (url === undefined) return [];
    const rels = (attributes.get('rel') ?? '').toLowerCase().trim().split(/\s+/, MAX_RELATIONS);
    const type = (attributes.get('type') ?? '').toLowerCase().trim();
    return rels.map((rel) => ({ rel: rel.replace(REGISTRY, '') || 'alternate', url, type }));
  });
}

function linkOf(links: readonly WebFeedLink[], rel: string): string | undefined {
  return links.find((link) => link.rel === rel)?.url;
}

/** The page for people: a link declared as HTML, else one without a type, else any. */
export function pageOf(links: readonly WebFeedLink[]): string | undefined {
  const pages = links.filter(({ rel }) => rel === 'alternate');
  const page = pages.find(({ type }) => /html/.test(type)) ?? pages.find(({ type }) => type === '') ?? pages[0];
  return page?.url;
}

/** The first file attached to an item (RSS, Atom or Media RSS). Some items have nothing else. */
export function enclosureOf(item: FeedElement, links: readonly WebFeedLink[]): string | undefined {
  const groups = [item, ...childrenOf(item, 'media:group')];
  const files = [...childrenOf(item, 'enclosure'), ...groups.flatMap((group) => childrenOf(group, 'media:content'))];
  for (const { attributes, base } of files) {
    const url = httpUrl(attributes.get('url') ?? '', base);
    if (url !== undefined) return url;
  }
  return linkOf(links, 'enclosure');
}

/** What the links of the feed itself say. RFC 5005 calls the previous archive `prev-archive`; `previous` and `prev` are pages. */
export function feedLinks(links: readonly WebFeedLink[]) {
  const selfUrl = linkOf(links, 'self');
  const nextUrl = linkOf(links, 'next');
  const prevArchiveUrl = linkOf(links, 'prev-archive');
  const nextArchiveUrl = linkOf(links, 'next-archive');
  const currentUrl = linkOf(links, 'current');
  return {
    hubUrls: [...new Set(links.filter(({ rel }) => rel === 'hub').map(({ url }) => url))],
    ...(selfUrl !== undefined && { selfUrl }),
    ...(nextUrl !== undefined && { nextUrl }),
    ...(prevArchiveUrl !== undefined && { prevArchiveUrl }),
    ...(nextArchiveUrl !== undefined && { nextArchiveUrl }),
    ...(currentUrl !== undefined && { currentUrl }),
  };
}
