import { hash } from 'node:crypto';
import type { DecodedBuckets, DecodedDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import type { DecodedItem, DecodedRemoval } from '../../../codecs/diffdelta/decode-item.ts';
import { FLAGGED_FROM } from '../../../codecs/diffdelta/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import type { FeedChange, KnownItem } from '../../feed-change.ts';
import type { Remembered } from '../../reader.ts';
import { type ChangedSection, isChecksum, sectionsOf } from './item-sections.ts';
import { type ItemStep, type MoveContext, pageMoves } from './page-moves.ts';

interface ItemContext extends MoveContext {
  readonly remembered: Pick<Remembered, 'itemsAmong' | 'liveItemsOn'>;
  readonly now: () => number;
  /** Nothing of the feed was read before, and nobody has said that earlier content is known from elsewhere. */
  readonly isBeginning: boolean;
}

type LiveBucket = Exclude<keyof DecodedBuckets, 'removed'>;

/** In the order of §3.1; the last bucket is that of the running service. */
const BEFORE_REMOVED: readonly LiveBucket[] = ['new', 'updated'];
const AFTER_REMOVED: readonly LiveBucket[] = ['flagged', 'items'];
/** How many items are looked up together. */
const CHUNK_ITEMS = 1000;
/** How many events are handed on together, or a few more: the events of an item stay together. */
const CHUNK_EVENTS = 1000;
const MAX_EXCERPT = 600;
const MAX_TITLE = 500;
const MAX_REASONS = 20;
const ITEM_REMOVED = 'item-removed';

type Step = ItemStep &
  (
    | { readonly isRemoved: false; readonly bucket: LiveBucket; readonly item: DecodedItem; readonly page: string }
    | { readonly isRemoved: true; readonly item: DecodedRemoval }
  );

/** The changes in a feed that are not known yet. An item in an already reported version is skipped. */
export async function* itemEvents(
  feed: DecodedDiffDeltaFeed,
  context: ItemContext,
): AsyncGenerator<readonly FeedChange[]> {
  const steps = [
    ...BEFORE_REMOVED.flatMap((bucket) => feed.buckets[bucket].map((item) => liveStep(item, bucket))),
    ...feed.buckets.removed.map(removalStep),
    ...AFTER_REMOVED.flatMap((bucket) => feed.buckets[bucket].map((item) => liveStep(item, bucket))),
  ];
  const known = await knownAmong(steps, context);
  const moves = pageMoves(steps, known, context);
  let events: FeedChange[] = [];
  for (const [index, step] of steps.entries()) {
    const page = moves.leftBy(index);
    const left = page === undefined ? undefined : { page, isEnd: await moves.endsWith(index) };
    const facts = { before: known.get(step.key), left, time: timeOf(step.item, feed, context) };
    const told = step.isRemoved ? removalEvents(step, facts) : liveEvents(step, facts, context);
    for (const event of told) {
      events.push(event);
      if (event.known !== undefined) known.set(step.key, event.known);
    }
    if (events.length < CHUNK_EVENTS) continue;
    yield events;
    events = [];
  }
  if (events.length > 0) yield events;
}

function liveStep(item: DecodedItem, bucket: LiveBucket): Step {
  return { key: keyOf(item), page: pageOf(item.url), isRemoved: false, bucket, item };
}

function removalStep(item: DecodedRemoval): Step {
  return { key: keyOf(item), page: item.url === undefined ? undefined : pageOf(item.url), isRemoved: true, item };
}

async function knownAmong(steps: readonly Step[], { entry, remembered }: ItemContext): Promise<Map<string, KnownItem>> {
  const known = new Map<string, KnownItem>();
  for (let start = 0; start < steps.length; start += CHUNK_ITEMS) {
    const keys = steps.slice(start, start + CHUNK_ITEMS).map(({ key }) => key);
    for (const [key, item] of await remembered.itemsAmong(entry, keys)) known.set(key, item);
  }
  return known;
}

interface StepFacts {
  readonly before: KnownItem | undefined;
  /** The page that the item leaves, and whether the page ends with that. */
  readonly left: { readonly page: string; readonly isEnd: boolean } | undefined;
  readonly time: string;
}

/** Empty for an item that is known to be gone, and for an unknown one that names no page. */
function removalEvents({ item, key }: Step & { isRemoved: true }, { left, time }: StepFacts): FeedChange[] {
  if (left === undefined) return [];
  const known = { key, page: left.page, ...versionOf(item), isRemoved: true };
  const facts = left.isEnd ? factsOf(item, { isFlagged: false, known }) : partingFacts(item, known);
  const note = left.isEnd ? noteOf(item) : {};
  return [{ ...parting(left, time), id: digestOf(key, known.version, 'true'), ...facts, ...note }];
}

/** An item that has moved leaves its old page. A reader that stops in between finds it removed, and then created again. */
function liveEvents(step: Step & { isRemoved: false }, facts: StepFacts, context: ItemContext): FeedChange[] {
  const { item, key, page, bucket } = step;
  const { before, left, time } = facts;
  const now = { key, page, ...versionOf(item), isRemoved: false };
  if (before === undefined || left === undefined) {
    return isTold(now, before) ? [] : eventsOf(item, { bucket, now, before, time }, context);
  }
  const gone = { ...before, isRemoved: true };
  const id = digestOf(key, now.version, 'left', left.page);
  return [
    { ...parting(left, time), id, ...partingFacts(item, gone) },
    ...eventsOf(item, { bucket, now, before: gone, time }, context),
  ];
}

/** A page with other items still exists when one of them goes. */
function parting({ page, isEnd }: { readonly page: string; readonly isEnd: boolean }, time: string) {
  return isEnd
    ? { action: 'delete' as const, url: page, time }
    : { action: 'update' as const, url: page, time, note: ITEM_REMOVED };
}

/** What an item says does not apply to a page that it has left. */
function partingFacts({ id, source }: DecodedRemoval, known: KnownItem): ItemFacts {
  return { itemId: id, provenance: { by: 'diffdelta', originId: id, feedSource: source }, known };
}

function isTold(now: KnownItem, before: KnownItem | undefined): boolean {
  return before !== undefined && !before.isRemoved && before.version === now.version;
}

function versionOf({ provenance }: DecodedRemoval): Pick<KnownItem, 'version' | 'revision'> {
  const { content_hash: contentHash, revision } = provenance;
  return { version: digestOf(contentHash), ...(revision !== undefined && { revision }) };
}

interface EventFacts {
  readonly bucket: LiveBucket;
  readonly now: KnownItem;
  readonly before: KnownItem | undefined;
  readonly time: string;
}

/** What an item says besides that something changed. */
type ItemFacts = Pick<FeedChange, 'itemId' | 'title' | 'excerpt' | 'risk' | 'flagged' | 'provenance' | 'known'>;

/** One event for the page, or one for each section if the item names them. The last event carries the memory of the item. */
function eventsOf(item: DecodedItem, facts: EventFacts, context: ItemContext): FeedChange[] {
  const isNext = isNextOfKnown(facts, context);
  const page = { ...pageEvent(item, facts), ...((isNext || facts.bucket === 'new') && noteOf(item)) };
  const sections = page.anchor === undefined && isNext ? sectionsOf(item) : undefined;
  if (sections === undefined) return [page];
  const events = sections
    .filter(({ action }) => action !== 'delete')
    .map((section) => sectionEvent(section, page, facts.now));
  // A section is not deleted by name: a reader may take that for the whole page (T-AICF-2).
  if (events.length < sections.length) events.push(page);
  return events.map((event, index) => (index < events.length - 1 ? asPart(event) : event));
}

/** Sections describe what changed since the previous revision. A reader without that revision needs the whole page. */
function isNextOfKnown({ bucket, now, before }: EventFacts, { isBeginning }: ItemContext): boolean {
  if (bucket === 'new') return false;
  if (before === undefined) return bucket === 'updated' && !isBeginning;
  if (before.isRemoved || before.revision === undefined) return false;
  return now.revision === before.revision + 1;
}

/** A longer note is not ours. */
const MAX_NOTE = 20_000;

function noteOf({ provenance: { note } }: DecodedRemoval): Pick<FeedChange, 'note'> {
  return note === undefined || note.length > MAX_NOTE ? {} : { note };
}

function sectionEvent(
  { anchor, anchorIs, action, checksum, excerpt }: ChangedSection,
  { checksum: _, excerpt: __, ...page }: FeedChange,
  { revision }: KnownItem,
): FeedChange {
  return {
    ...page,
    id: digestOf(page.id, String(revision), anchor),
    action,
    anchor,
    ...(anchorIs !== undefined && { anchorIs }),
    ...(checksum !== undefined && { checksum }),
    ...(excerpt !== undefined && { excerpt: cut(excerpt, MAX_EXCERPT) }),
  };
}

function asPart({ known: _, ...event }: FeedChange): FeedChange {
  return event;
}

function pageEvent(item: DecodedItem, { bucket, now, before, time }: EventFacts): FeedChange {
  const anchor = anchorOf(item);
  const checksum = checksumOf(item);
  return {
    id: digestOf(now.key, now.version, 'false'),
    action: actionOf(bucket, before),
    url: now.page,
    ...(anchor !== undefined && { anchor }),
    time,
    ...(checksum !== undefined && { checksum }),
    ...factsOf(item, { isFlagged: bucket === 'flagged', known: now }),
  };
}

/** The checksum of the page if its server gives it, else that of the item. */
function checksumOf({ content, provenance }: DecodedItem): string | undefined {
  return [content.checksum, provenance.content_hash].find(isChecksum);
}

function actionOf(bucket: LiveBucket, before: KnownItem | undefined): FeedChange['action'] {
  switch (bucket) {
    case 'new':
      return 'create';
    case 'updated':
      return 'update';
    default:
      return before === undefined || before.isRemoved ? 'create' : 'update';
  }
}

function factsOf(
  item: DecodedRemoval,
  { isFlagged, known }: { readonly isFlagged: boolean; readonly known: KnownItem },
): ItemFacts {
  const { excerpt_text: excerpt } = item.content;
  const { score, reasons } = item.risk;
  return {
    itemId: item.id,
    ...(item.headline.trim() !== '' && { title: cut(item.headline, MAX_TITLE) }),
    ...(typeof excerpt === 'string' && excerpt !== '' && { excerpt: cut(excerpt.toWellFormed(), MAX_EXCERPT) }),
    risk: { score, reasons: reasons.slice(0, MAX_REASONS) },
    ...((isFlagged || score >= FLAGGED_FROM) && { flagged: true }),
    provenance: {
      by: 'diffdelta',
      originId: item.id,
      feedSource: item.source,
      ...(item.provenance.via !== undefined && { via: item.provenance.via }),
    },
    known,
  };
}

/** The anchor of the URL, or of an id that is the URL with a fragment, as on status pages. */
function anchorOf({ id, url }: DecodedItem): string | undefined {
  const { hash: own } = new URL(url);
  const named = own === '' && canParseUrl(id) && pageOf(id) === pageOf(url) ? new URL(id).hash : own;
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

/** The time that its server states. Unreadable times are ignored. */
function timeOf(item: DecodedRemoval, feed: DecodedDiffDeltaFeed, { now }: ItemContext): string {
  const { updated_at: updated, published_at: published } = item;
  const readable = [updated, published, feed.generated_at].find((time) => parseTime(time ?? '') !== undefined);
  return readable ?? new Date(now()).toISOString();
}

function keyOf({ source, id }: DecodedRemoval): string {
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
