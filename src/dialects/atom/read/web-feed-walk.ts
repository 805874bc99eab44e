import type { WebFeedItem } from '../../../codecs/atom/decoded-feed.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { getWebFeed, type WebFeedDocument, type WebFeedPorts } from './web-feed-document.ts';
import { type ItemSketch, keyedByPlace, keyedByText, sketchOf } from './web-feed-item.ts';

/** What is behind the newest document of a feed. */
export interface GapWalk {
  readonly ports: WebFeedPorts;
  /** Which items were told before. */
  readonly knownAmong: (sketches: readonly ItemSketch[]) => Promise<ReadonlySet<string>>;
  /** The newest moment that was claimed when the feed was read last. */
  readonly newestMs: number | undefined;
  readonly note: (message: string) => void;
}

const MAX_DOCUMENTS = 20;
/** Also what is no feed at all. */
const LASTING: readonly (number | undefined)[] = [404, 410, undefined];

/**
 * The items of the pages or archives behind a document in which nothing is known, back to the first that is known. Those
 * behind that one are older than the first reading of the feed: they are no news.
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

/** Undefined where there is nothing to be had for good. What may pass is thrown, so that nothing is lost: the next check asks again. */
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
 * One for each id: of several versions the newest, else the first. Some feeds give one id to all, so that the address counts, too;
 * of items that have neither, what they say.
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

/** Items that say neither who nor where they are may share a title. */
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

/** The address of what comes before, on the host of the feed itself. */
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
