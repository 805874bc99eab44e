import { isOfAnotherName } from '../errors/fetch-error.ts';
import { otherNameError } from '../errors/other-owner.ts';
import { findOffer, type OfferQuestion } from './find-offer.ts';
import type { FollowedEvent } from './followed-event.ts';
import { handOn, type PollOutcome } from './hand-on.ts';
import { ladderAt } from './ladder-at.ts';
import { pollFallen } from './poll-fallen.ts';
import { pollFeed } from './poll-feed.ts';
import type { Reading } from './reading.ts';

export interface PollOptions extends OfferQuestion {
  /** Fetch the boundaries too. */
  readonly content: boolean;
}

/**
 * One poll of one URL: finds out what it offers and continues reading where the last poll stopped. If no format was named, a feed that breaks is
 * replaced by the pages of its site until it is healthy again.
 */
export async function* poll(
  { content, dialect: named, ...question }: PollOptions,
  reading: Reading,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { site, told } = reading;
  if (named === undefined && site !== undefined && told !== undefined) {
    const ladder = await ladderAt(question.url, reading.state);
    const onLadder = { question, content, reading: { ...reading, site, told } };
    try {
      return ladder?.rung === 'pages' ? yield* pollFallen(onLadder, ladder) : yield* pollFeed(onLadder, ladder);
    } catch (error) {
      throw ladder !== undefined && isOfAnotherName(error) ? otherNameError(question.url, error) : error;
    }
  }
  const { dialect, offer } = await findOffer({ ...question, dialect: named }, reading);
  const { pages = reading.pages } = offer;
  return yield* handOn(offer.read(), { dialect, content }, { ...reading, pages });
}
