import { EventsWithheldError } from '../errors/follow-error.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { SourceState } from './follow-state.ts';
import type { FollowedEvent } from './followed-event.ts';
import { createHandOver } from './hand-over.ts';
import type { FeedItem } from './read/feed-item.ts';
import type { Reading } from './read/reading.ts';
import type { Since } from './since.ts';
import { freeSourceId } from './source-id.ts';

/** One feed, whatever its dialect. */
export interface OpenFeed {
  /** Under which it is remembered. */
  readonly entry: string;
  /** The id that it gets, if that is free. */
  readonly id: string;
  /** What is known of it from earlier visits. */
  readonly known: SourceState | undefined;
  /** To be kept, so that the next visit can ask whether it changed. */
  readonly discovery?: SourceState['discovery'];
  /** What there is behind `start`. `since` counts only where nothing is remembered. */
  read(start: SourceState, since: Since): AsyncGenerator<FeedItem>;
  /** `read` leaves out what is older than `since`. Otherwise the time that each event claims decides. */
  readonly keepsToSince?: true;
  /** How long its discovery document says that it stays fresh. */
  readonly freshMs?: number | undefined;
}

export interface VisitOptions {
  /** Fetch the boundaries too. */
  readonly content: boolean;
  /** Where a feed begins of which nothing is remembered. */
  readonly since: Since;
}

export interface VisitOutcome {
  readonly source: string;
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs: number | undefined;
  /** Some events wait for their pages. */
  readonly withheld?: EventsWithheldError;
}

/**
 * One visit to one feed: what waits from earlier visits, then what the feed has added.
 *
 * State moves on only behind events that the consumer has taken, so that a stop at any moment repeats an event at
 * worst and never loses one (AICF-C5).
 */
export async function* visit(
  feed: OpenFeed,
  options: VisitOptions,
  reading: Reading,
): AsyncGenerator<FollowedEvent, VisitOutcome> {
  const deliveries = createDeliveries(reading.state, await startingState(feed, reading), reading.now);
  try {
    return yield* readOn(feed, options, { reading, deliveries });
  } finally {
    await deliveries.save();
  }
}

async function* readOn(
  feed: OpenFeed,
  options: VisitOptions,
  { reading, deliveries }: { readonly reading: Reading; readonly deliveries: Deliveries },
): AsyncGenerator<FollowedEvent, VisitOutcome> {
  const start = deliveries.state;
  const since = isNew(start) ? options.since : {};
  const sinceMs = feed.keepsToSince ? undefined : since.timeMs;
  const handOver = await createHandOver({ content: options.content, sinceMs, reading, deliveries });
  let freshMs: number | undefined;

  // A page is fetched only when the feed was asked: what the feed says of it is never newer than the page.
  for await (const { item, isFirst } of withFirst(feed.read(start, since))) {
    if (isFirst) yield* handOver.pending(item?.kind === 'events' ? item.events : []);
    if (item === undefined) continue;
    if (item.kind === 'events') {
      yield* handOver.events(item.events);
      continue;
    }
    if (item.kind === 'known') {
      await deliveries.add({ items: item.items });
      // What comes next is compared with what is stored.
      await deliveries.save();
      continue;
    }
    freshMs = item.freshMs;
    await handOver.passOver();
    const state = { ...deliveries.state, ...item.progress };
    if (!isKept(state, feed)) await deliveries.add({ state: () => state });
  }

  const { count, reason } = handOver.withheld;
  const outcome = { source: start.source, freshMs: feed.freshMs ?? freshMs };
  if (count === 0) return outcome;
  return { ...outcome, withheld: new EventsWithheldError(start.source, count, reason) };
}

/** Tells the first item apart. Where there is none, an empty one comes before the end or the failure. */
async function* withFirst(items: AsyncIterable<FeedItem>): AsyncGenerator<{ item?: FeedItem; isFirst: boolean }, void> {
  let isFirst = true;
  try {
    for await (const item of items) {
      yield { item, isFirst };
      isFirst = false;
    }
  } catch (error) {
    if (isFirst) yield { isFirst };
    throw error;
  }
}

function isNew({ lastId, feed, diffdelta }: SourceState): boolean {
  return lastId === undefined && feed === undefined && diffdelta?.cursor === undefined;
}

/** A poll that found nothing new writes nothing. */
function isKept({ feed, discovery, diffdelta }: SourceState, { known }: OpenFeed): boolean {
  return known !== undefined && feed === known.feed && discovery === known.discovery && diffdelta === known.diffdelta;
}

async function startingState(
  { entry, id, known, discovery }: OpenFeed,
  { state: store }: Reading,
): Promise<SourceState> {
  const state = known ?? { source: await freeSourceId(id, store), entry };
  return discovery === undefined ? state : { ...state, discovery };
}
