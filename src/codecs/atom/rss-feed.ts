import type { DecodedWebFeed, WebFeedItem } from './decoded-feed.ts';
import { childOf, childrenOf, type FeedElement, hasElements, ownText, wholeText } from './element.ts';
import { enclosureOf, feedLinks, linksOf, pageOf, type WebFeedLink } from './feed-links.ts';
import { httpUrl } from './http-url.ts';
import { firstDate, makeItem } from './make-item.ts';
import { otherTitle } from './other-title.ts';
import { collapse, plainTitle, textOfHtml } from './plain-text.ts';

type FeedParts = Omit<DecodedWebFeed, 'items' | 'problems'>;

const PUBLISHED = ['pubdate', 'dc:date', 'dcterms:issued', 'dcterms:created', 'atom:published'];
const UPDATED = ['atom:updated', 'dcterms:modified'];

/** Reads RSS 0.9x, 1.0 and 2.0: the channel is in the root. */
export function rssHeadOf(root: FeedElement): FeedParts {
  const channel = childOf(root, 'channel') ?? root;
  const links = allLinksOf(channel);
  const title = fieldText(childOf(channel, 'title'), plainTitle);
  const url = pageUrlOf(channel, links);
  const id = (channel.attributes.get('rdf:about') ?? ownText(childOf(channel, 'atom:id'))).trim();
  const ttl = ownText(childOf(channel, 'ttl')).trim();
  const updatedMs = firstDate(
    textsOf(channel, ['lastbuilddate', 'atom:updated', 'dcterms:modified', 'pubdate', 'dc:date']),
  );
  return {
    format: 'rss',
    ...(id !== '' && { id }),
    ...(title !== '' && { title }),
    ...(url !== undefined && { url }),
    ...(updatedMs !== undefined && { updatedMs }),
    ...(/^0*[1-9]\d{0,6}$/.test(ttl) && { ttlMinutes: Number(ttl) }),
    ...feedLinks(links),
    isArchive: childOf(channel, 'fh:archive') !== undefined,
    isComplete: childOf(channel, 'fh:complete') !== undefined,
  };
}

/** Without its own base, a relative link is resolved against the page of the channel. */
export function rssItemOf(item: FeedElement, channel: FeedElement): WebFeedItem | undefined {
  const base = item.base ?? pageUrlOf(channel, []);
  const guid = childOf(item, 'guid');
  const guidText = ownText(guid).trim();
  const isPermalink = guid?.attributes.get('ispermalink')?.trim().toLowerCase() !== 'false';
  const permalink = isPermalink ? httpUrl(guidText) : undefined;
  const links = allLinksOf(item);
  return makeItem({
    id: guidText || (item.attributes.get('rdf:about') ?? ownText(childOf(item, 'atom:id'))),
    url: pageUrlOf(item, links, base) ?? permalink ?? enclosureOf(item, links),
    title: fieldText(childOf(item, 'title'), plainTitle) || otherTitle(item),
    summary:
      fieldText(childOf(item, 'description'), textOfHtml) || fieldText(childOf(item, 'atom:summary'), textOfHtml),
    content:
      fieldText(childOf(item, 'content:encoded'), textOfHtml) || fieldText(childOf(item, 'atom:content'), textOfHtml),
    author: fieldText(childOf(item, 'dc:creator'), plainTitle) || fieldText(childOf(item, 'author'), plainTitle),
    categories: [...childrenOf(item, 'category'), ...childrenOf(item, 'dc:subject')].map(ownText),
    published: textsOf(item, PUBLISHED),
    updated: textsOf(item, UPDATED),
  });
}

function allLinksOf(element: FeedElement): readonly WebFeedLink[] {
  return [...linksOf(element), ...linksOf(element, 'link')];
}

/** Some feeds have an additional empty `link`, or write the link as Atom does. */
function pageUrlOf(element: FeedElement, links: readonly WebFeedLink[], base = element.base): string | undefined {
  for (const link of childrenOf(element, 'link')) {
    const url = httpUrl(ownText(link), link.base ?? base);
    if (url !== undefined) return url;
  }
  return pageOf(links);
}

function fieldText(element: FeedElement | undefined, read: (text: string) => string): string {
  if (element === undefined) return '';
  return collapse(hasElements(element) ? wholeText(element) : read(ownText(element)));
}

function textsOf(element: FeedElement, names: readonly string[]): readonly string[] {
  return names.map((name) => ownText(childOf(element, name)));
}
