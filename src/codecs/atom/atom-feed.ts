import type { DecodedWebFeed, WebFeedItem } from './decoded-feed.ts';
import { childOf, childrenOf, type FeedElement, hasElements, ownText, wholeText } from './element.ts';
import { enclosureOf, feedLinks, linksOf, pageOf } from './feed-links.ts';
import { httpUrl } from './http-url.ts';
import { firstDate, makeItem } from './make-item.ts';
import { otherTitle } from './other-title.ts';
import { collapse, textOfHtml } from './plain-text.ts';
import { HUB_URN } from './wire.ts';

type FeedParts = Omit<DecodedWebFeed, 'items' | 'problems'>;

/** Reads Atom 1.0 and 0.3. The latter has other names for dates and declares the type of a text differently. */
export function atomHeadOf(root: FeedElement): FeedParts {
  const links = linksOf(root);
  const id = ownText(childOf(root, 'atom:id')).trim();
  const title = constructText(childOf(root, 'atom:title'));
  const url = pageOf(links);
  const updatedMs = firstDate(textsOf(root, ['atom:updated', 'atom:modified']));
  return {
    format: 'atom',
    ...(id !== '' && { id }),
    ...(title !== '' && { title }),
    ...(url !== undefined && { url }),
    ...(updatedMs !== undefined && { updatedMs }),
    ...feedLinks(links),
    isArchive: childOf(root, 'fh:archive') !== undefined,
    isComplete: childOf(root, 'fh:complete') !== undefined,
  };
}

export function atomItemOf(entry: FeedElement): WebFeedItem | undefined {
  const content = childOf(entry, 'atom:content');
  const links = linksOf(entry);
  const group = childOf(entry, 'media:group');
  const described = group === undefined ? '' : collapse(ownText(childOf(group, 'media:description')));
  const author = childOf(entry, 'atom:author');
  const categories = childrenOf(entry, 'atom:category');
  return makeItem({
    id: ownText(childOf(entry, 'atom:id')),
    url: pageOf(links) ?? httpUrl(content?.attributes.get('src') ?? '', content?.base) ?? enclosureOf(entry, links),
    title: constructText(childOf(entry, 'atom:title')) || otherTitle(entry),
    summary: constructText(childOf(entry, 'atom:summary')) || described,
    content: constructText(content),
    author: author === undefined ? '' : collapse(ownText(childOf(author, 'atom:name'))),
    categories: categories.map(({ attributes }) => attributes.get('label') ?? attributes.get('term') ?? ''),
    published: textsOf(entry, ['atom:published', 'atom:issued', 'atom:created', 'dc:date']),
    updated: textsOf(entry, ['atom:updated', 'atom:modified']),
    via: hubsOf(entry),
  });
}

const MAX_HUBS = 50;

/** The ids of our hubs that the entry came through, from its `via` links. */
function hubsOf(entry: FeedElement): string | undefined {
  const named = childrenOf(entry, 'atom:link').filter(({ attributes }) => attributes.get('rel') === 'via');
  const hubs = named.map(({ attributes }) => attributes.get('href') ?? '').filter((href) => href.startsWith(HUB_URN));
  return hubs.length === 0
    ? undefined
    : hubs
        .slice(0, MAX_HUBS)
        .map((href) => href.slice(HUB_URN.length))
        .join(' ');
}

/** The plain text of a text construct or of content, whatever its type; empty if it is not text. */
function constructText(element: FeedElement | undefined): string {
  if (element === undefined) return '';
  if (hasElements(element)) return wholeText(element);
  const text = ownText(element);
  const type = (element.attributes.get('type') ?? '').toLowerCase().trim() || 'text';
  const mode = element.attributes.get('mode')?.toLowerCase();
  if (mode === 'base64') return '';
  if (/html/.test(type) || (mode === 'escaped' && type !== 'text/plain')) return textOfHtml(text);
  // A type that is not a media type, such as "plain", is a mistake of the author.
  return !type.includes('/') || type.startsWith('text/') || /[/+]xml\b/.test(type) ? collapse(text) : '';
}

function textsOf(element: FeedElement, names: readonly string[]): readonly string[] {
  return names.map((name) => ownText(childOf(element, name)));
}
