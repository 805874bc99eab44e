import { EventsWithheldError } from '../errors/follow-error.ts';
import { sourceIdOf } from '../model/source.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { FollowState, SourceState } from './follow-state.ts';
import type { FollowedEvent } from './followed-event.ts';
import { createHandOver } from './hand-over.ts';
import { readAicf } from './read/aicf.ts';
import { discover, type Entry } from './read/discover.ts';
import type { FeedItem } from './read/feed-events.ts';
import type { Reading } from './read/reading.ts';
import type { Since } from './since.ts';

export interface PollOptions {
  readonly url: URL;
  /** Fetch the boundaries too. */
  readonly content: boolean;
  /** Where a source begins of which nothing is remembered. */
  readonly since: Since;
}

export interface PollOutcome {
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs: number | undefined;
  /** Some events wait for their pages. */
  readonly withheld?: EventsWithheldError;
}

/**
 * One visit to one source: discovery, what waits from earlier visits, then what the feed has added.
 *
 * State moves on only behind events that the consumer has taken, so that a stop at any moment repeats an event at
 * worst and never loses one (AICF-C5).
 */
export async function* poll(options: PollOptions, reading: Reading): AsyncGenerator<FollowedEvent, PollOutcome> {
  const entry = await discover(options.url, reading);
  const deliveries = createDeliveries(reading.state, await startingState(entry, reading.state), reading.now);
  try {
    return yield* visit(entry, { options, reading, deliveries });
  } finally {
    await deliveries.save();
  }
}

interface Visit {
  readonly options: PollOptions;
  readonly reading: Reading;
  readonly deliveries: Deliveries;
}

async function* visit(
  entry: Entry,
  { options, reading, deliveries }: Visit,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { lastId: knownId, feed: knownFeed } = deliveries.state;
  const since = knownId === undefined && knownFeed === undefined ? options.since : {};
  const startId = knownId ?? since.id;
  const handOver = await createHandOver({ content: options.content, sinceMs: since.timeMs, reading, deliveries });
  let maxAgeMs: number | undefined;

  // A page is fetched only when the feed was asked: what the feed says of it is never newer than the page.
  for await (const { item, isFirst } of withFirst(readAicf(entry, startId, reading))) {
    if (isFirst) yield* handOver.pending(item?.kind === 'events' ? item.events : []);
    if (item === undefined) continue;
    if (item.kind === 'events') {
      yield* handOver.events(item.events);
      continue;
    }
    maxAgeMs = item.maxAgeMs;
    await handOver.passOver();
    const lastId = deliveries.state.lastId ?? startId;
    const state = { ...deliveries.state, ...(lastId !== undefined && { lastId }), feed: item.feed };
    if (!isKept(state, entry)) await deliveries.add({ state: () => state });
  }

  const { ttl_seconds: ttlSeconds } = entry.discovery;
  const freshMs = ttlSeconds === undefined ? maxAgeMs : ttlSeconds * 1000;
  const { count, reason } = handOver.withheld;
  return count === 0
    ? { freshMs }
    : { freshMs, withheld: new EventsWithheldError(deliveries.state.source, count, reason) };
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

/** A poll that found nothing new writes nothing. */
function isKept({ feed, discovery }: SourceState, { known }: Entry): boolean {
  return known !== undefined && feed === known.feed && discovery === known.discovery;
}

async function startingState({ url, kept, known }: Entry, store: FollowState): Promise<SourceState> {
  const state = known ?? { source: await freeSourceId(sourceIdOf(new URL(url)), store), entry: url };
  return kept === undefined ? state : { ...state, discovery: kept };
}

/** Several feeds of one host are several sources. */
async function freeSourceId(wanted: string, store: FollowState): Promise<string> {
  let id = wanted;
  for (let count = 2; await store.isTaken(id); count += 1) id = `${wanted}_${count}`;
  return id;
}
