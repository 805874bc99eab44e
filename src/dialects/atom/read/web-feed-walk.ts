import type { WebFeedItem } from '../../../codecs/atom/decoded-feed.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { getWebFeed, type WebFeedDocument, type WebFeedPorts } from './web-feed-document.ts';
import { type ItemSketch, keyedByPlace, keyedByText, sketchOf } from './web-feed-item.ts';

/** How to read older documents of a feed. */
export interface GapWalk {
  readonly ports: WebFeedPorts;
  /** Which items were reported before. */
  readonly knownAmong: (sketches: readonly ItemSketch[]) => Promise<ReadonlySet<string>>;
  /** The newest time that an item claimed when the feed was last read. */
  readonly newestMs: number | undefined;
  readonly note: (message: string) => void;
}

const MAX_DOCUMENTS = 20;
/** Undefined stands for an answer that is not a feed. */
const LASTING: readonly (number | undefined)[] = [404, 410, undefined];

/**
 * The items of older pages or archives, from a document without any known item back to the first known item. Items beyond that are
 * older than the first reading of the feed, so they are no news.
 */
export async function walkBack(first: WebFeedDocument, walk: GapWalk): Promise<readonly ItemSketch[]> {
  const { note } = walk;
  const missed: ItemSketch[] = [];
  const seen = new Set([first.url.href]);
  let document = first;
  for (let count = 0; count < MAX_DOCUMENTS; count += 1) {
    const next = nextOf(document, first.url);
    if (next === undefined || seen.has(next.href)) {
      note(`${first.url.href}: nothing in it was there at the last check. What came and went between is not known.`);
      return missed;
    }
    seen.add(next.href);
    const older = await getOlder(next, walk);
    if (older === undefined) return missed;
    document = older;
    const sketches = sketchesOf(document);
    const known = await walk.knownAmong(sketches);
    if (known.size > 0) return [...missed, ...newerThanKnown(sketches, known, walk.newestMs)];
    missed.push(...sketches);
  }
  note(`${first.url.href}: what it has told since the last check is more than ${MAX_DOCUMENTS} documents back.`);
  return missed;
}

/**
 * Undefined if the document is permanently missing. Temporary failures are thrown, so that nothing is lost: the next check asks
 * again.
 */
async function getOlder(url: URL, { ports, note }: GapWalk): Promise<WebFeedDocument | undefined> {
  try {
    const answer = await getWebFeed(url, {}, ports);
    return 'feed' in answer ? answer : undefined;
  } catch (error) {
    const isForGood = error instanceof FeedUnreadableError && LASTING.includes(error.status);
    if (!isForGood) throw error;
    note(`What came and went since the last check is not known: ${error.message}`);
    return undefined;
  }
}

/**
 * One item for each id: of several versions the newest, else the first. Some feeds give all items one id, so the address counts,
 * too. For items with neither, the text counts.
 */
export function sketchesOf({ feed, url }: WebFeedDocument): readonly ItemSketch[] {
  const all = textsApart(feed.items.map((item) => ({ item, sketch: sketchOf(item, feed, url) })));
  const pageOfKey = new Map<string, string>();
  const shared = new Set<string>();
  for (const { key, page } of all) {
    if ((pageOfKey.get(key) ?? page) !== page) shared.add(key);
    pageOfKey.set(key, page);
  }
  const byKey = new Map<string, ItemSketch>();
  for (const item of all) {
    const sketch = shared.has(item.key) ? keyedByPlace(item) : item;
    const other = byKey.get(sketch.key);
    if (other === undefined || (sketch.updatedMs ?? 0) > (other.updatedMs ?? 0)) byKey.set(sketch.key, sketch);
  }
  return [...byKey.values()];
}

/** Items with neither an id nor an address may share a title. */
function textsApart(
  items: readonly { readonly item: WebFeedItem; readonly sketch: ItemSketch }[],
): readonly ItemSketch[] {
  const versionOfKey = new Map<string, string>();
  const shared = new Set<string>();
  const isNameless = ({ isIdMade, url }: WebFeedItem) => isIdMade && url === undefined;
  for (const { item, sketch } of items) {
    if (!isNameless(item)) continue;
    if ((versionOfKey.get(sketch.key) ?? sketch.version) !== sketch.version) shared.add(sketch.key);
    versionOfKey.set(sketch.key, sketch.version);
  }
  return items.map(({ item, sketch }) => (isNameless(item) && shared.has(sketch.key) ? keyedByText(sketch) : sketch));
}

/** The address of the previous document, if it is on the host of the feed. */
function nextOf({ feed }: WebFeedDocument, { protocol, host }: URL): URL | undefined {
  const named = feed.isArchive ? (feed.prevArchiveUrl ?? feed.nextUrl) : (feed.nextUrl ?? feed.prevArchiveUrl);
  if (named === undefined) return undefined;
  const url = new URL(named);
  if (url.host !== host) return undefined;
  url.protocol = protocol;
  url.hash = '';
  return url;
}

function newerThanKnown(
  sketches: readonly ItemSketch[],
  known: ReadonlySet<string>,
  newestMs = Number.POSITIVE_INFINITY,
): readonly ItemSketch[] {
  const firstKnown = sketches.findIndex(({ key }) => known.has(key));
  const isNewer = ({ publishedMs, updatedMs }: ItemSketch) => (publishedMs ?? updatedMs ?? 0) > newestMs;
  return sketches.filter((sketch, index) => index < firstKnown || known.has(sketch.key) || isNewer(sketch));
}
