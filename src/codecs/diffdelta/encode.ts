import { compareCodePoints } from '../primitives/code-points.ts';
import { parseTime } from '../primitives/time.ts';
import { sha256Name } from './cursor.ts';
import type { DiffDeltaFeed, DiffDeltaHead, DiffDeltaItem } from './wire.ts';

/** The text of a feed, and the hash in it. */
export interface EncodedDiffDeltaFeed {
  readonly text: string;
  readonly hash: string;
}

/**
 * The text of a feed, with its `hash`: the SHA-256 of the same text without that member (T-DD-8). Sources and items are
 * in the order of §4, by code point. `hash` of the argument is ignored.
 *
 * @example
 * const { text, hash } = encodeFeed(feed);
 * if (hashOfText(text) !== hash) throw new Error('never');
 */
export function encodeDiffDeltaFeed({ hash: _, sources, ...feed }: DiffDeltaFeed): EncodedDiffDeltaFeed {
  const { new: added, updated, removed, flagged, ...others } = feed.buckets;
  const ordered = {
    ...feed,
    sources_included: [...feed.sources_included].sort(compareCodePoints),
    buckets: {
      new: inServedOrder(added),
      updated: inServedOrder(updated),
      removed: inServedOrder(removed),
      flagged: inServedOrder(flagged),
      ...others,
    },
  };
  // As text: an object would put ids that look like numbers first.
  const entries = Object.entries(sources)
    .sort(([left], [right]) => compareCodePoints(left, right))
    .map(([id, entry]) => `${JSON.stringify(id)}:${JSON.stringify(entry)}`);
  const body = `${JSON.stringify(ordered).slice(1, -1)},"sources":{${entries.join(',')}}}\n`;
  const hash = sha256Name(`{${body}`);
  return { text: `{"hash":"${hash}",${body}`, hash };
}

/**
 * The hash that a feed in our format should have: that of its text without the `hash` at its beginning. Undefined for a
 * text that does not begin with a `hash`, such as a foreign feed.
 *
 * @example
 * const isWhole = hashOfText(text) === JSON.parse(text).hash;
 */
export function hashOfText(text: string): string | undefined {
  const start = /^\{"hash":"sha256:[0-9a-f]{64}",/.exec(text);
  return start === null ? undefined : sha256Name(`{${text.slice(start[0].length)}`);
}

/**
 * The text of a head.
 *
 * @example
 * response.end(encodeHead({ cursor, prev_cursor, changed, generated_at, ttl_sec: 300, latest_url: '/diff/docs/latest.json' }));
 */
export function encodeHead(head: DiffDeltaHead): string {
  return `${JSON.stringify(head)}\n`;
}

/** The order of the served arrays (§4): by time of publication, then source, then id. Values that are not times come last, sorted as text. */
export function inServedOrder(items: readonly DiffDeltaItem[]): DiffDeltaItem[] {
  return items
    .map(servedItem)
    .sort(compareServed)
    .map(({ item }) => item);
}

/** A cache: the feed of all sources sorts the same items again and again. */
const servedItems = new WeakMap<DiffDeltaItem, Served>();

function servedItem(item: DiffDeltaItem): Served {
  const known = servedItems.get(item);
  const { published_at: publishedAt } = item;
  if (known?.publishedAt === publishedAt) return known;
  const served = { item, publishedAt, publishedMs: parseTime(publishedAt) };
  servedItems.set(item, served);
  return served;
}

interface Served {
  readonly item: DiffDeltaItem;
  readonly publishedAt: string;
  readonly publishedMs: number | undefined;
}

function compareServed(left: Served, right: Served): number {
  return (
    compareTimes(left, right) ||
    compareCodePoints(left.item.source, right.item.source) ||
    compareCodePoints(left.item.id, right.item.id)
  );
}

function compareTimes(left: Served, right: Served): number {
  if (left.publishedMs !== undefined && right.publishedMs !== undefined) return left.publishedMs - right.publishedMs;
  if (left.publishedMs !== undefined) return -1;
  if (right.publishedMs !== undefined) return 1;
  return compareCodePoints(left.item.published_at, right.item.published_at);
}
