import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import { freeSourceId } from '../dialects/source-id.ts';
import { EventsWithheldError, FollowIncompleteError } from '../errors/follow-error.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import { createDeliveries } from './deliveries.ts';
import type { SourceState } from './follow-state.ts';
import type { FollowedEvent } from './followed-event.ts';
import { HandOver } from './hand-over.ts';
import type { Reading } from './reading.ts';

export interface HandOnOptions {
  /** The dialect of the batches. */
  readonly dialect: string;
  /** Fetch the boundaries too. */
  readonly content: boolean;
}

export interface PollOutcome {
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs: number | undefined;
  /** Some events wait for their pages. */
  readonly withheld?: EventsWithheldError;
  /** Some feeds could not be read; the others were. */
  readonly incomplete?: TidingsError;
}

/** Changes that are handled together: those of one page among them share one GET. */
const CHUNK_CHANGES = 1000;

/**
 * Delivers the result of a reading: for each feed, the events that wait from earlier polls, then the new ones.
 *
 * The state advances only after the consumer has taken an event, so a stop at any moment may repeat an event but never loses one (AICF-C5).
 */
export async function* handOn(
  batches: AsyncGenerator<Batch, ReadingEnd>,
  options: HandOnOptions,
  reading: Reading,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const withheld: EventsWithheldError[] = [];
  let entry: string | undefined;
  let current: HandOver | undefined;
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      const isLeft = next.done || next.value.entry !== entry;
      if (isLeft && current?.withheld !== undefined) withheld.push(current.withheld);
      if (next.done) return outcomeOf(next.value, withheld);
      const { changes, ...rest } = next.value;
      const isFirst = isLeft || current === undefined;
      if (isFirst) await current?.save();
      const handOver = isFirst || current === undefined ? await openHandOver(rest, options, reading) : current;
      current = handOver;
      entry = rest.entry;
      let isAsked = !isFirst;
      for (const { chunk, isLast } of chunksOf(changes)) {
        // A page is fetched only after the feed was asked: then the page is never older than what the feed says.
        if (!isAsked) yield* handOver.pending(chunk);
        isAsked = true;
        yield* handOver.take(chunk, isLast ? rest : {});
      }
    }
  } finally {
    await current?.save();
    await batches.return({});
  }
}

/** Yields at least one chunk, which may be empty: the last one carries the rest of a batch. */
function* chunksOf<T>(changes: Iterable<T>): Generator<{ readonly chunk: readonly T[]; readonly isLast: boolean }> {
  let chunk: T[] = [];
  for (const change of changes) {
    if (chunk.length === CHUNK_CHANGES) {
      yield { chunk, isLast: false };
      chunk = [];
    }
    chunk.push(change);
  }
  yield { chunk, isLast: true };
}

async function openHandOver(
  { entry, id }: Pick<Batch, 'entry' | 'id'>,
  { dialect, content }: HandOnOptions,
  reading: Reading,
): Promise<HandOver> {
  const { state: store, now } = reading;
  const known = await store.find(entry);
  const source = known?.source ?? (await freeSourceId(id, store));
  // The memory of another dialect for the same URL is useless for this one.
  const state: SourceState = known?.dialect === dialect ? known : { source, entry, dialect };
  return new HandOver({
    content,
    reading,
    deliveries: createDeliveries(store, state, now),
    waiting: await store.pendingOf(source),
  });
}

function outcomeOf({ freshMs, unread }: ReadingEnd, withheld: readonly EventsWithheldError[]): PollOutcome {
  const [first] = withheld;
  const [failure] = unread?.errors ?? [];
  return {
    freshMs,
    ...(first !== undefined && { withheld: joinedWithheld(withheld, first) }),
    ...(unread !== undefined && {
      incomplete:
        failure !== undefined && unread.errors.length === 1 ? failure : new FollowIncompleteError(unread.errors),
    }),
  };
}

function joinedWithheld(withheld: readonly EventsWithheldError[], first: EventsWithheldError): EventsWithheldError {
  if (withheld.length === 1) return first;
  const total = withheld.reduce((sum, { count }) => sum + count, 0);
  return new EventsWithheldError(withheld.map(({ source }) => source).join(', '), total, first.reason);
}
