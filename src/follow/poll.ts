import { parseTime } from '../codecs/primitives/time.ts';
import { EventsWithheldError } from '../errors/follow-error.ts';
import { sourceIdOf } from '../model/source.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { FollowState, SourceState } from './follow-state.ts';
import type { FollowedEvent } from './followed-event.ts';
import { createHandOver } from './hand-over.ts';
import { readAicf } from './read/aicf.ts';
import { discover, type Entry } from './read/discover.ts';
import type { Reading } from './read/reading.ts';

export interface PollOptions {
  readonly url: URL;
  /** Fetch the boundaries too. */
  readonly content: boolean;
  /** An RFC 3339 time: earlier events are passed over. Else an id: a source that is new begins behind it. */
  readonly since?: string | undefined;
}

export interface PollOutcome {
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs: number | undefined;
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
  const sinceMs = options.since === undefined ? undefined : parseTime(options.since);
  const startId = deliveries.state.lastId ?? (sinceMs === undefined ? options.since : undefined);
  const handOver = await createHandOver({ content: options.content, sinceMs, reading, deliveries });
  let maxAgeMs: number | undefined;

  yield* handOver.pending();
  for await (const item of readAicf(entry, startId, reading)) {
    if (item.kind === 'events') {
      yield* handOver.events(item.events);
      continue;
    }
    maxAgeMs = item.maxAgeMs;
    const lastId = deliveries.state.lastId ?? startId;
    const state = { ...deliveries.state, ...(lastId !== undefined && { lastId }), feed: item.feed };
    if (!isKept(state, entry)) await deliveries.add({ state: () => state });
  }

  const { count, reason } = handOver.withheld;
  if (count > 0) throw new EventsWithheldError(deliveries.state.source, count, reason);
  const { ttl_seconds: ttlSeconds } = entry.discovery;
  return { freshMs: ttlSeconds === undefined ? maxAgeMs : ttlSeconds * 1000 };
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
