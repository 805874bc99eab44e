/**
 * JSON Feed 1.0 and 1.1.
 *
 *     { "version": "https://jsonfeed.org/version/1.1", "title": "…", "items": [{ "id": "1", "content_text": "…" }] }
 *
 * Spec: https://www.jsonfeed.org/version/1.1/
 */

import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { type DecodedWebFeed, FEED_CLAUSE, WEB_FEED_LIMITS, type WebFeedItem } from './decoded-feed.ts';
import { httpUrl } from './http-url.ts';
import { makeItem } from './make-item.ts';
import { collapse, textOfHtml } from './plain-text.ts';

const VERSION = /^https?:\/\/(?:www\.)?jsonfeed\.org\/version\/1(?:\.\d+)?\/?$/;

export function decodeJsonFeed(json: string, base: string | undefined): Result<DecodedWebFeed> {
  if (json.length > WEB_FEED_LIMITS.maxCharacters) {
    return refuse(FEED_CLAUSE, `It has more than ${WEB_FEED_LIMITS.maxCharacters} characters.`);
  }
  const feed = parse(json.replace(/^\ufeff/, ''));
  if (feed === undefined) return refuse(FEED_CLAUSE, 'It is not JSON.');
  if (!isRecord(feed) || !VERSION.test(textAt(feed, 'version').trim())) {
    return refuse(FEED_CLAUSE, 'It is JSON, but its "version" is not that of JSON Feed.');
  }
  const { items } = feed;
  if (!Array.isArray(items)) return refuse(FEED_CLAUSE, 'It is a JSON Feed without "items".');

  const problems: string[] = [];
  if (items.length > WEB_FEED_LIMITS.maxItems) {
    problems.push(`It has more than ${WEB_FEED_LIMITS.maxItems} items; the rest is not read.`);
  }
  const decoded: WebFeedItem[] = [];
  for (const [at, item] of items.slice(0, WEB_FEED_LIMITS.maxItems).entries()) {
    const made = isRecord(item) ? itemOf(item, base) : undefined;
    if (made !== undefined) decoded.push(made);
    else if (problems.length < WEB_FEED_LIMITS.maxProblems) problems.push(`Item ${at + 1} says nothing.`);
  }
  return accept({ ...headOf(feed, base), items: decoded, problems });
}

function headOf(feed: JsonRecord, base: string | undefined): Omit<DecodedWebFeed, 'items' | 'problems'> {
  const title = collapse(textAt(feed, 'title'));
  const url = httpUrl(textAt(feed, 'home_page_url'), base);
  const selfUrl = httpUrl(textAt(feed, 'feed_url'), base);
  const nextUrl = httpUrl(textAt(feed, 'next_url'), base);
  const hubs = Array.isArray(feed.hubs) ? feed.hubs.filter(isRecord) : [];
  const hubUrls = hubs
    .filter((hub) => /^(?:websub|pubsubhubbub)$/i.test(textAt(hub, 'type')))
    .map((hub) => httpUrl(textAt(hub, 'url'), base))
    .filter((hub) => hub !== undefined);
  return {
    format: 'json-feed',
    ...(title !== '' && { title }),
    ...(url !== undefined && { url }),
    ...(selfUrl !== undefined && { selfUrl }),
    ...(nextUrl !== undefined && { nextUrl }),
    hubUrls: [...new Set(hubUrls)],
    isArchive: false,
    isComplete: false,
  };
}

function itemOf(item: JsonRecord, base: string | undefined): WebFeedItem | undefined {
  const authors: readonly unknown[] = Array.isArray(item.authors) ? item.authors : [item.author];
  const author = authors.find(isRecord);
  const tags: readonly unknown[] = Array.isArray(item.tags) ? item.tags : [];
  return makeItem({
    id: textAt(item, 'id'),
    url:
      ['url', 'external_url'].map((name) => httpUrl(textAt(item, name), base)).find(isNamed) ??
      attachmentOf(item, base),
    title: collapse(textAt(item, 'title')),
    summary: collapse(textAt(item, 'summary')),
    content: textOfHtml(textAt(item, 'content_html')) || collapse(textAt(item, 'content_text')),
    author: author === undefined ? '' : collapse(textAt(author, 'name')),
    categories: tags.filter((tag) => typeof tag === 'string'),
    published: [textAt(item, 'date_published')],
    updated: [textAt(item, 'date_modified')],
  });
}

const MAX_ATTACHMENTS = 100;

/** The first file attached to the item. */
function attachmentOf({ attachments }: JsonRecord, base: string | undefined): string | undefined {
  const files: readonly unknown[] = Array.isArray(attachments) ? attachments.slice(0, MAX_ATTACHMENTS) : [];
  return files.map((file) => (isRecord(file) ? httpUrl(textAt(file, 'url'), base) : undefined)).find(isNamed);
}

function isNamed(url: string | undefined): url is string {
  return url !== undefined;
}

/** Ids may be numbers; they are converted to text. */
function textAt(members: JsonRecord, name: string): string {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return typeof value === 'string' ? value.toWellFormed() : typeof value === 'number' ? String(value) : '';
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
