import { findOffer, type OfferQuestion } from './find-offer.ts';
import type { FollowedEvent } from './followed-event.ts';
import { handOn, type PollOutcome } from './hand-on.ts';
import type { Reading } from './reading.ts';

export interface PollOptions extends OfferQuestion {
  /** Fetch the boundaries too. */
  readonly content: boolean;
}

/** One poll of one URL: what it offers is found out, and read on from where it was left. */
export async function* poll(
  { content, ...question }: PollOptions,
  reading: Reading,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { dialect, offer } = await findOffer(question, reading);
  return yield* handOn(offer.read(), { dialect, content }, reading);
}
