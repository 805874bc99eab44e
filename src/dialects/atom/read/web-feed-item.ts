import { hash } from 'node:crypto';
import type { DecodedWebFeed, FeedFormat, WebFeedItem } from '../../../codecs/atom/decoded-feed.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';

/** What is reported and remembered of an item of a feed. Small, whatever the item holds. */
export interface ItemSketch {
  readonly format: FeedFormat;
  readonly id: string;
  /** The same for all spellings of its id. */
  readonly key: string;
  /** Changes with the text of the item, but not with its dates. */
  readonly version: string;
  /** The same for all spellings of its address. */
  readonly page: string;
  readonly url: string;
  readonly anchor?: string;
  /** Whether the address is its own, and not that of the feed. */
  readonly hasOwnUrl: boolean;
  readonly title?: string;
  readonly excerpt?: string;
  readonly publishedMs?: number;
  readonly updatedMs?: number;
  /** The hubs that it passed through. */
  readonly via?: string;
}

/** The version of our text extraction. Raise it when the same item gives another text. */
const READING = 2;
const MAX_TITLE_LENGTH = 300;
const MAX_EXCERPT_LENGTH = 600;
/** Query parameters that track where readers come from. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|mc_[ce]id|_hs(?:enc|mi)|igshid|ref_src)$/i;

/** An item without an address gets the page of its feed, with an anchor made from its id. */
export function sketchOf(item: WebFeedItem, feed: DecodedWebFeed, feedUrl: URL): ItemSketch {
  const { id, title = '', content = '', summary = '', publishedMs, updatedMs } = item;
  const key = digest('feed item', normalAddress(id));
  const place = placeOf(item.url ?? `${feed.url ?? feedUrl.href}`);
  const anchor = item.url === undefined ? anchorOfKey(key) : place.anchor;
  const page = `${normalAddress(place.url)}${anchor === undefined ? '' : `#${anchor}`}`;
  const text = cut(content === '' ? summary : content, MAX_EXCERPT_LENGTH);
  return {
    format: feed.format,
    id,
    key,
    version: `${READING}-${digest(title, page, content, summary)}`,
    page,
    url: place.url,
    ...(anchor !== undefined && { anchor }),
    hasOwnUrl: item.url !== undefined,
    ...(title !== '' && { title: cut(title, MAX_TITLE_LENGTH) }),
    ...(text !== '' && { excerpt: text }),
    ...(publishedMs !== undefined && { publishedMs }),
    ...(updatedMs !== undefined && { updatedMs }),
    ...(item.via !== undefined && { via: item.via }),
  };
}

/** Adds the address to the key, if items at different addresses share an id. */
export function keyedByPlace(sketch: ItemSketch): ItemSketch {
  return { ...sketch, key: digest('feed item', normalAddress(sketch.id), sketch.page) };
}

/** Adds the text to the key, if items on one page share an id. */
export function keyedByText(sketch: ItemSketch): ItemSketch {
  return { ...sketch, key: digest('feed item', sketch.id, sketch.version) };
}

/** The anchor of an item that is remembered under `key`. */
export function anchorOf({ hasOwnUrl, anchor }: ItemSketch, key: string): Pick<ItemSketch, 'anchor'> {
  if (!hasOwnUrl) return { anchor: anchorOfKey(key) };
  return anchor === undefined ? {} : { anchor };
}

function anchorOfKey(key: string): string {
  return `item-${key.slice(0, 12)}`;
}

/** Whether two versions can be compared: an upgrade of ours is not a change of the feed. */
export function isSameReading(one: string, other: string): boolean {
  return one.split('-')[0] === other.split('-')[0];
}

function placeOf(address: string): { readonly url: string; readonly anchor?: string } {
  const url = new URL(address);
  const fragment = percentDecoded(url.hash.slice(1));
  url.hash = '';
  return { url: url.href, ...(fragment !== '' && { anchor: fragment }) };
}

/** Sites move to https, and campaigns come and go, but the item stays the same. */
function normalAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !canParseUrl(text)) return text;
  const url = new URL(text);
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href.replace(/^https?:/, '');
}

/** Half of SHA-256 is enough to distinguish items. */
function digest(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}

/** Cuts between code points, so that none is halved. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${Array.from(text.slice(0, 2 * length))
        .slice(0, length - 1)
        .join('')}…`;
}
