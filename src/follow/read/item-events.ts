import { hash } from 'node:crypto';
import type { DecodedBuckets, DecodedFeed } from '../../codecs/diffdelta/decode-feed.ts';
import type { DecodedItem } from '../../codecs/diffdelta/decode-item.ts';
import { FLAGGED_FROM } from '../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import type { FeedEvent, ItemFacts, KnownItem } from '../feed-event.ts';
import type { FollowState } from '../follow-state.ts';
import type { FedEvent, FeedItem } from './feed-item.ts';
import { type ChangedSection, isChecksum, sectionsOf } from './item-sections.ts';

interface ItemContext {
  /** Under which the items are remembered. */
  readonly source: string;
  readonly state: Pick<FollowState, 'itemsAmong' | 'liveItemsOn'>;
  readonly now: () => number;
  /** Nothing of the feed was read before, and no one has said that what came before is known elsewhere. */
  readonly isBeginning: boolean;
}

type Bucket = keyof DecodedBuckets;

/** In the order of §3.1; the last one is the running service's. */
const ORDER: readonly Bucket[] = ['new', 'updated', 'removed', 'flagged', 'items'];
/** Items that are looked at together. */
const CHUNK_ITEMS = 1000;
/** Events that are handed on together, or a few more: those of an item stay together. */
const CHUNK_EVENTS = 1000;
const MAX_EXCERPT = 600;
const MAX_TITLE = 500;
const MAX_REASONS = 20;
const ITEM_REMOVED = 'item-removed';

/** What a feed says that is not known yet. An item in the version that was told before is passed over in silence. */
export async function* itemEvents(feed: DecodedFeed, context: ItemContext): AsyncGenerator<FeedItem> {
  const told = ORDER.flatMap((bucket) => feed.buckets[bucket].map((item) => ({ bucket, item })));
  for (let start = 0; start < told.length; start += CHUNK_ITEMS) {
    const chunk = told.slice(start, start + CHUNK_ITEMS);
    const items = await knownItems(
      chunk.map(({ item }) => keyOf(item)),
      context,
    );
    let events: FedEvent[] = [];
    for (const { bucket, item } of chunk) {
      const now = knownAfter(item, bucket);
      const before = items.get(now.key);
      if (isTold(now, before)) continue;
      const isShared = bucket === 'removed' && (await items.isPageShared(now));
      items.set(now);
      const facts = { bucket, now, before, isShared, time: timeOf(item, feed, context) };
      events.push(...eventsOf(item, facts, context).map((event) => ({ event })));
      if (events.length < CHUNK_EVENTS) continue;
      yield { kind: 'events', events };
      events = [];
    }
    if (events.length > 0) yield { kind: 'events', events };
  }
}

/** What is known of the items of a chunk, and what the chunk itself does to that. */
async function knownItems(keys: readonly string[], { source, state }: ItemContext) {
  const known = await state.itemsAmong(source, keys);
  const liveOn = new Map<string, Set<string>>();
  return {
    get: (key: string) => known.get(key),
    set(item: KnownItem) {
      const before = known.get(item.key);
      known.set(item.key, item);
      if (before !== undefined) liveOn.get(before.page)?.delete(item.key);
      if (!item.isRemoved) liveOn.get(item.page)?.add(item.key);
    },
    /** Whether another item that is there has the same page. */
    async isPageShared({ key, page }: KnownItem): Promise<boolean> {
      let live = liveOn.get(page);
      if (live === undefined) {
        // More than the chunk can remove, so that one is left where one is.
        live = new Set(await state.liveItemsOn(source, page, CHUNK_ITEMS + 1));
        for (const item of known.values()) {
          if (item.page === page && !item.isRemoved) live.add(item.key);
          else live.delete(item.key);
        }
        liveOn.set(page, live);
      }
      return live.size > (live.has(key) ? 1 : 0);
    },
  };
}

function isTold(now: KnownItem, before: KnownItem | undefined): boolean {
  if (before === undefined || before.isRemoved !== now.isRemoved) return false;
  return now.isRemoved || before.version === now.version;
}

function knownAfter(item: DecodedItem, bucket: Bucket): KnownItem {
  const { content_hash: contentHash, revision } = item.provenance;
  return {
    key: keyOf(item),
    page: pageOf(item.url),
    version: digestOf(contentHash),
    isRemoved: bucket === 'removed',
    ...(revision !== undefined && { revision }),
  };
}

interface EventFacts {
  readonly bucket: Bucket;
  readonly now: KnownItem;
  readonly before: KnownItem | undefined;
  readonly isShared: boolean;
  readonly time: string;
}

type ItemEvent = FeedEvent & { readonly item: ItemFacts };

/** One for the page, or one for each section where the item names them. The last one brings that the item is known. */
function eventsOf(item: DecodedItem, facts: EventFacts, context: ItemContext): ItemEvent[] {
  const page = pageEvent(item, facts);
  const sections = page.anchor === undefined && isNextOfKnown(facts, context) ? sectionsOf(item) : undefined;
  if (sections === undefined) return [page];
  const events = sections
    .filter(({ action }) => action !== 'delete')
    .map((section) => sectionEvent(section, page, facts.now));
  // A section is not deleted by name: a reader may take that for the whole page (T-AICF-2).
  if (events.length < sections.length) events.push(page);
  return events.map((event, index) => (index < events.length - 1 ? asPart(event) : event));
}

/** Sections say what changed since the revision before: whoever does not have that one needs the page. */
function isNextOfKnown({ bucket, now, before }: EventFacts, { isBeginning }: ItemContext): boolean {
  if (bucket === 'new' || bucket === 'removed') return false;
  if (before === undefined) return bucket === 'updated' && !isBeginning;
  if (before.isRemoved || before.revision === undefined) return false;
  return now.revision === before.revision + 1;
}

function sectionEvent(
  { anchor, action, checksum, excerpt }: ChangedSection,
  { checksum: _, item: { excerpt: __, ...item }, ...page }: ItemEvent,
  { revision }: KnownItem,
): ItemEvent {
  return {
    ...page,
    id: digestOf(page.id, String(revision), anchor),
    action,
    anchor,
    ...(checksum !== undefined && { checksum }),
    item: { ...item, ...(excerpt !== undefined && { excerpt: cut(excerpt, MAX_EXCERPT) }) },
  };
}

function asPart({ item: { known: _, ...item }, ...event }: ItemEvent): ItemEvent {
  return { ...event, item };
}

function pageEvent(item: DecodedItem, { bucket, now, before, isShared, time }: EventFacts): ItemEvent {
  const anchor = isShared ? undefined : anchorOf(item);
  const checksum = checksumOf(item);
  const action = actionOf(bucket, before, isShared);
  return {
    id: digestOf(now.key, now.version, String(now.isRemoved)),
    action,
    url: now.page,
    ...(anchor !== undefined && { anchor }),
    time,
    ...(bucket !== 'removed' && checksum !== undefined && { checksum }),
    ...(isShared && { note: ITEM_REMOVED }),
    item: factsOf(item, bucket, now),
  };
}

/** Of the page, where its server gives that, else of the item. */
function checksumOf({ content, provenance }: DecodedItem): string | undefined {
  return [content.checksum, provenance.content_hash].find(isChecksum);
}

/** A page that has other items is still there when one of them goes. */
function actionOf(bucket: Bucket, before: KnownItem | undefined, isShared: boolean): FeedEvent['action'] {
  switch (bucket) {
    case 'new':
      return 'create';
    case 'updated':
      return 'update';
    case 'removed':
      return isShared ? 'update' : 'delete';
    default:
      return before === undefined || before.isRemoved ? 'create' : 'update';
  }
}

function factsOf(item: DecodedItem, bucket: Bucket, known: KnownItem): ItemFacts {
  const { excerpt_text: excerpt } = item.content;
  const { score, reasons } = item.risk;
  const isFlagged = bucket === 'flagged' || score >= FLAGGED_FROM;
  return {
    id: item.id,
    source: item.source,
    ...(item.headline.trim() !== '' && { title: cut(item.headline, MAX_TITLE) }),
    ...(typeof excerpt === 'string' && excerpt !== '' && { excerpt: cut(excerpt.toWellFormed(), MAX_EXCERPT) }),
    risk: { score, reasons: reasons.slice(0, MAX_REASONS) },
    ...(isFlagged && { flagged: true }),
    known,
  };
}

/** Of the URL, or of an id that is the URL with a fragment, as status pages have it. */
function anchorOf({ id, url }: DecodedItem): string | undefined {
  const { hash: own } = new URL(url);
  const named = own === '' && URL.canParse(id) && pageOf(id) === pageOf(url) ? new URL(id).hash : own;
  const name = named.slice(1);
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return name;
  }
}

function pageOf(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

/** When its server says that it happened; a time that nobody can read says nothing. */
function timeOf(item: DecodedItem, feed: DecodedFeed, { now }: ItemContext): string {
  const { updated_at: updated, published_at: published } = item;
  const readable = [updated, published, feed.generated_at].find((time) => parseTime(time ?? '') !== undefined);
  return readable ?? new Date(now()).toISOString();
}

function keyOf({ source, id }: DecodedItem): string {
  return digestOf(source, id);
}

function digestOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('');
}
