import { WEB_FEED_LIMITS, type WebFeedItem } from './decoded-feed.ts';
import { readFeedDate } from './feed-date.ts';
import { collapse } from './plain-text.ts';
import { stableId } from './stable-id.ts';

/** The fields of an item in any format; an empty text counts as missing. */
export interface ItemFields {
  readonly id: string;
  readonly url: string | undefined;
  readonly title: string;
  readonly summary: string;
  readonly content: string;
  readonly author: string;
  readonly categories: readonly string[];
  /** The first valid date counts. */
  readonly published: readonly string[];
  readonly updated: readonly string[];
  readonly via?: string | undefined;
}

/** Undefined if the id, the URL, the title and both texts are all missing. */
export function makeItem(fields: ItemFields): WebFeedItem | undefined {
  const { url, title, summary, content, author } = fields;
  const given = fields.id.trim();
  if (given === '' && url === undefined && title === '' && summary === '' && content === '') return undefined;
  const publishedMs = firstDate(fields.published);
  const updatedMs = firstDate(fields.updated);
  // Dates change silently and texts get corrected; a title is stable.
  const made = url ?? stableId(title, title === '' ? summary || content : '');
  const categories = new Set(fields.categories.map(collapse).filter((category) => category !== ''));
  return {
    id: given === '' ? made : given.length > WEB_FEED_LIMITS.maxIdLength ? stableId(given) : given,
    isIdMade: given === '',
    ...(url !== undefined && { url }),
    ...(title !== '' && { title }),
    ...(publishedMs !== undefined && { publishedMs }),
    ...(updatedMs !== undefined && { updatedMs }),
    ...(summary !== '' && { summary }),
    ...(content !== '' && { content }),
    ...(author !== '' && { author }),
    ...(fields.via !== undefined && { via: fields.via }),
    categories: [...categories].slice(0, WEB_FEED_LIMITS.maxCategories),
  };
}

export function firstDate(texts: readonly string[]): number | undefined {
  for (const text of texts) {
    const time = text === '' ? undefined : readFeedDate(text);
    if (time !== undefined) return time;
  }
  return undefined;
}
