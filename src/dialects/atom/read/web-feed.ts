import { type FeedFormat, WEB_FEED_LIMITS } from '../../../codecs/atom/decoded-feed.ts';
import { formatTime, parseTime } from '../../../codecs/primitives/time.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { SafetyStopError } from '../../../errors/safety-stop-error.ts';
import type { NamedHubs } from '../../../model/named-hubs.ts';
import { warn } from '../../diagnostic.ts';
import type { FeedChange, KnownItem } from '../../feed-change.ts';
import type { ReaderPorts } from '../../reader.ts';
import { getWebFeed, type WebFeedDocument } from './web-feed-document.ts';
import { anchorOf, type ItemSketch } from './web-feed-item.ts';
import type { KnownWebFeed, LiveItem } from './web-feed-known.ts';
import { type ItemVerdict, WebFeedMemory } from './web-feed-memory.ts';
import { sketchesOf, walkBack } from './web-feed-walk.ts';

export interface WebFeedRequest {
  readonly url: URL;
  readonly known: KnownWebFeed | undefined;
  /** For a feed read for the first time: items that claim to be older are not reported. */
  readonly sinceMs?: number | undefined;
  /** The feed itself, if it was fetched just now. */
  readonly document?: WebFeedDocument | undefined;
  /** For a complete feed: allows many deletions at once. */
  readonly allowDeletes?: boolean;
  /** What a person can do to allow that. */
  readonly remedy?: string | undefined;
}

export interface WebFeedNews {
  /** What to remember, if it differs from what is known. */
  readonly known?: KnownWebFeed;
  /** Items that are now known but not reported. */
  readonly items: readonly KnownItem[];
  /** Oldest first. */
  readonly changes: readonly FeedChange[];
  readonly freshMs: number | undefined;
  readonly hubs: NamedHubs | undefined;
}

const MAX_PROBLEMS_SHOWN = 5;
const MAX_VANISHING = 10;
const MAX_VANISHING_SHARE = 0.3;
/** RFC 3339 has four digits for the year. */
const LAST_MS = Date.UTC(9999, 11, 31);

/**
 * Reads what a feed for people (Atom, RSS, JSON Feed) says that it did not say before. An item is new, or its text changed; a new
 * date alone is no change. An item that is no longer in the feed is only old, unless the feed says that it is complete.
 *
 * Throws a {@link FeedUnreadableError} for something that is not a feed, or that is empty where there were items: nothing is
 * concluded then.
 */
export async function readWebFeed(request: WebFeedRequest, ports: ReaderPorts): Promise<WebFeedNews> {
  const { url, known } = request;
  const first = request.document ?? (await getWebFeed(url, known?.validators ?? {}, ports));
  if (!('feed' in first)) return { items: [], changes: [], freshMs: first.freshMs, hubs: first.hubs };
  reportDocument(url, first, ports);
  const newest = sketchesOf(first);
  if (newest.length === 0 && known !== undefined && known.count > 0) {
    throw new FeedUnreadableError(url.href, 'holds no item, where earlier there were some.');
  }

  const memory = new WebFeedMemory(ports.remembered, url.href);
  const before = await memory.knownAmong(newest);
  const isComplete = isWhole(first);
  const hasGap = known !== undefined && known.count > 0 && before.size === 0 && !isComplete;
  const missed = hasGap ? await walkBack(first, walkOf(known, memory, ports)) : [];
  const changes: FeedChange[] = [];
  const live: LiveItem[] = [];
  for (const sketch of oldestFirst([...newest, ...missed])) {
    const verdict = await memory.judge(sketch);
    live.push(liveOf(sketch, verdict.key));
    if (verdict.is !== 'same') changes.push(changeOf(sketch, verdict, memory));
  }
  if (isComplete) changes.push(...(await deletions(request, { format: first.feed.format, live }, memory)));
  const now = knownOf(first, newest, isComplete ? live : withMore(known?.live, live));
  const told = changes.filter((change) => !isBefore(change, known === undefined ? request.sinceMs : undefined));
  const toldItems = new Set(told.map((change) => change.known));
  return {
    ...(JSON.stringify(now) !== JSON.stringify(known) && { known: now }),
    items: [...memory.learned.values()].filter((item) => !toldItems.has(item)),
    changes: told,
    freshMs: first.freshMs,
    hubs: first.hubs,
  };
}

function reportDocument({ href }: URL, { url, feed, hasMoved }: WebFeedDocument, ports: ReaderPorts): void {
  const note = (message: string) => warn(ports, 'note', message);
  if (hasMoved) note(`${href} has moved for good to ${url.href}. Give that address.`);
  for (const problem of feed.problems.slice(0, MAX_PROBLEMS_SHOWN)) note(`${href}: ${problem}`);
  if (feed.items.length >= WEB_FEED_LIMITS.maxItems) {
    note(`${href}: only the first ${WEB_FEED_LIMITS.maxItems} items are read.`);
  }
}

function walkOf({ newestMs, count }: KnownWebFeed, memory: WebFeedMemory, ports: ReaderPorts) {
  // A feed that holds one item at a time has another one each time.
  const note = count > 1 ? (message: string) => warn(ports, 'note', message) : () => {};
  return { ports, note, newestMs, knownAmong: (some: readonly ItemSketch[]) => memory.knownAmong(some) };
}

/** By their claimed times if all have one; otherwise feeds have the newest first. */
function oldestFirst(sketches: readonly ItemSketch[]): readonly ItemSketch[] {
  const timed = sketches.map((sketch) => ({ sketch, timeMs: sketch.publishedMs ?? sketch.updatedMs })).reverse();
  if (timed.some(({ timeMs }) => timeMs === undefined)) return timed.map(({ sketch }) => sketch);
  return timed.sort((one, other) => (one.timeMs ?? 0) - (other.timeMs ?? 0)).map(({ sketch }) => sketch);
}

function liveOf(sketch: ItemSketch, key: string): LiveItem {
  const { id, url, title } = sketch;
  return { key, id, url, ...anchorOf(sketch, key), ...(title !== undefined && { title }) };
}

function changeOf(sketch: ItemSketch, { is, key }: ItemVerdict, { learned }: WebFeedMemory): FeedChange {
  const { format, id, url, title, excerpt, publishedMs, updatedMs, via } = sketch;
  const action = is === 'new' ? 'create' : 'update';
  const known = learned.get(key);
  return {
    id: `${key}-${sketch.version}`,
    action,
    url,
    ...anchorOf(sketch, key),
    ...claimOf(action === 'create' ? (publishedMs ?? updatedMs) : (updatedMs ?? publishedMs)),
    ...(title !== undefined && { title }),
    ...(excerpt !== undefined && { excerpt }),
    itemId: id,
    provenance: { by: format, originId: id, ...(via !== undefined && { via }) },
    ...(known !== undefined && { known }),
  };
}

function isBefore({ time }: FeedChange, sinceMs: number | undefined): boolean {
  return sinceMs !== undefined && time !== undefined && (parseTime(time) ?? sinceMs) < sinceMs;
}

/** Times outside of any human calendar are ignored. */
function claimOf(claimedMs: number | undefined): Pick<FeedChange, 'time'> {
  const isTime = claimedMs !== undefined && claimedMs >= 0 && claimedMs < LAST_MS;
  return isTime ? { time: formatTime(claimedMs) } : {};
}

/** Whether items that are not in the document no longer exist (RFC 5005 §2). Not so if the feed continues elsewhere, or was cut. */
function isWhole({ feed }: WebFeedDocument): boolean {
  const goesOn = feed.nextUrl !== undefined || feed.prevArchiveUrl !== undefined;
  return feed.isComplete && !goesOn && feed.items.length < WEB_FEED_LIMITS.maxItems;
}

async function deletions(
  { url, known, allowDeletes = false, remedy }: WebFeedRequest,
  { format, live }: { readonly format: FeedFormat; readonly live: readonly LiveItem[] },
  memory: WebFeedMemory,
): Promise<readonly FeedChange[]> {
  const before = known?.live ?? [];
  const present = new Set(live.map(({ key }) => key));
  const vanished = before.filter(({ key }) => !present.has(key));
  const isMuch = vanished.length > MAX_VANISHING && vanished.length > before.length * MAX_VANISHING_SHARE;
  if (isMuch && !allowDeletes) {
    const how = remedy === undefined ? '' : ` If they are gone indeed: ${remedy}`;
    const what = `${url.href} is complete, and ${vanished.length} of its ${before.length} items are not in it now.`;
    throw new SafetyStopError(
      `${what} Nothing was written.${how}`,
      vanished.map((item) => item.url),
    );
  }
  const gone: FeedChange[] = [];
  for (const { key, id, ...place } of vanished) {
    const removed = await memory.remove(key);
    if (removed === undefined) continue;
    gone.push({
      id: `${key}-${removed.version}-gone`,
      action: 'delete',
      ...place,
      itemId: id,
      provenance: { by: format, originId: id },
      known: removed,
    });
  }
  return gone;
}

/** The items of a complete feed, plus those that came since. Until it is complete again, none of them counts as gone. */
function withMore(before: readonly LiveItem[] | undefined, now: readonly LiveItem[]): readonly LiveItem[] | undefined {
  if (before === undefined) return undefined;
  const keys = new Set(before.map(({ key }) => key));
  return [...before, ...now.filter(({ key }) => !keys.has(key))].slice(0, WEB_FEED_LIMITS.maxItems);
}

function knownOf(
  { validators }: WebFeedDocument,
  items: readonly ItemSketch[],
  live: readonly LiveItem[] | undefined,
): KnownWebFeed {
  let newestMs: number | undefined;
  for (const { publishedMs, updatedMs } of items) {
    const timeMs = publishedMs ?? updatedMs;
    if (timeMs !== undefined && timeMs > (newestMs ?? Number.NEGATIVE_INFINITY)) newestMs = timeMs;
  }
  return {
    validators,
    count: items.length,
    ...(newestMs !== undefined && { newestMs }),
    ...(live !== undefined && { live }),
  };
}
