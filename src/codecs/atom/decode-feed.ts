import { accept, type Result, refuse } from '../primitives/result.ts';
import { atomHeadOf, atomItemOf } from './atom-feed.ts';
import {
  type DecodedWebFeed,
  type DecodeFeedOptions,
  FEED_CLAUSE,
  WEB_FEED_LIMITS,
  type WebFeedItem,
} from './decoded-feed.ts';
import type { FeedElement } from './element.ts';
import { httpUrl } from './http-url.ts';
import { decodeJsonFeed } from './json-feed.ts';
import { readElements } from './read-elements.ts';
import { rssHeadOf, rssItemOf } from './rss-feed.ts';

/**
 * Reads a feed of any kind: Atom 1.0 and 0.3, RSS 0.9x, 1.0 and 2.0, JSON Feed. Detects the kind from the text, not from a media type.
 *
 * Tolerates common mistakes; see `problems`. Refuses a text that is not a feed, is incomplete, or has signs of an attack:
 * declarations in a DOCTYPE, too much depth, too much text. Reads at most the first 10,000 items. Never throws.
 *
 * @example
 * const feed = decodeFeed(text, { url: 'https://blog.example/feed' });
 * if (feed.ok) for (const { id, url, title } of feed.value.items) console.log(id, url, title);
 */
export function decodeWebFeed(text: string, options: DecodeFeedOptions = {}): Result<DecodedWebFeed> {
  const base = options.url === undefined ? undefined : httpUrl(options.url);
  if (/^\ufeff?\s*[{[]/.test(text)) return decodeJsonFeed(text, base);
  return decodeXmlFeed(text, base, (root) => (isFeed(root.name) ? undefined : notAFeed(root)));
}

/**
 * Reads an Atom feed, and refuses other kinds.
 *
 * @example
 * const feed = decodeAtomFeed(text);
 * if (feed.ok) console.log(feed.value.prevArchiveUrl);
 */
export function decodeAtomFeed(text: string, options: DecodeFeedOptions = {}): Result<DecodedWebFeed> {
  const base = options.url === undefined ? undefined : httpUrl(options.url);
  return decodeXmlFeed(text, base, (root) => (root.name === 'atom:feed' ? undefined : notAFeed(root, 'an Atom feed')));
}

function decodeXmlFeed(
  text: string,
  base: string | undefined,
  refuseRoot: (root: FeedElement) => string | undefined,
): Result<DecodedWebFeed> {
  if (!/^\ufeff?\s*</.test(text)) return refuse(FEED_CLAUSE, 'It is neither XML nor JSON.');
  const items: WebFeedItem[] = [];
  const problems: string[] = [];
  let seen = 0;
  const read = readElements(text, base, {
    root: refuseRoot,
    item(element, around) {
      seen += 1;
      const item = element.name === 'item' ? rssItemOf(element, channelOf(around)) : atomItemOf(element);
      if (item !== undefined) items.push(item);
      else if (problems.length < WEB_FEED_LIMITS.maxProblems) problems.push(`Item ${seen} says nothing.`);
    },
  });
  if (!read.ok) return read;
  const head = read.value.root.name === 'atom:feed' ? atomHeadOf(read.value.root) : rssHeadOf(read.value.root);
  return accept({
    ...head,
    items,
    problems: [...read.value.problems, ...problems].slice(0, WEB_FEED_LIMITS.maxProblems),
  });
}

/** In RSS 1.0 it is a sibling of the items. */
function channelOf(around: FeedElement): FeedElement {
  if (around.name === 'channel') return around;
  return (
    around.parts.find((part): part is FeedElement => typeof part !== 'string' && part.name === 'channel') ?? around
  );
}

function isFeed(name: string): boolean {
  return name === 'atom:feed' || name === 'rss' || name === 'rdf:rdf';
}

function notAFeed({ name }: FeedElement, wanted = 'a feed'): string {
  const local = name.slice(name.indexOf(':') + 1);
  return local === 'html' ? `it is an HTML page, not ${wanted}` : `its root is "${local.slice(0, 50)}", not ${wanted}`;
}
