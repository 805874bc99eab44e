import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import type { FoundOffer } from './find-offer.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { PollOutcome } from './hand-on.ts';

/** How far a look at a feed came. */
export interface LookNotes {
  found?: FoundOffer;
  events: number;
  /** The error of the feed that ended the look. */
  error?: unknown;
}

/** Awaits work for a feed and records its error as the feed's. */
export async function noting<T>(look: LookNotes, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    look.error = error;
    throw error;
  }
}

export async function* notingBatches(
  look: LookNotes,
  batches: AsyncGenerator<Batch, ReadingEnd>,
): AsyncGenerator<Batch, ReadingEnd> {
  try {
    for (;;) {
      const next = await noting(look, batches.next());
      if (next.done) return next.value;
      yield next.value;
    }
  } finally {
    await batches.return({});
  }
}

export async function* counting(
  look: LookNotes,
  events: AsyncGenerator<FollowedEvent, PollOutcome>,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  try {
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done) return next.value;
      look.events += 1;
      yield next.value;
    }
  } finally {
    await events.return({ freshMs: undefined });
  }
}
