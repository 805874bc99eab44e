import type { OfferQuestion } from './find-offer.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { PollOutcome } from './hand-on.ts';
import { handOn } from './hand-on.ts';
import { isReturning, recentFalls } from './ladder.ts';
import { type FollowLadder, keepLadder } from './ladder-at.ts';
import type { Reading } from './reading.ts';
import { rememberedIn } from './remembered.ts';
import type { LastLook, Seam } from './seam.ts';
import type { PagesOffer, SiteDialect } from './site-rung.ts';
import { type ToldLog, tellingsSince } from './told-log.ts';

/** One poll of a site that is followed in the best available way. */
export interface LadderPoll {
  readonly question: Omit<OfferQuestion, 'dialect'>;
  /** Fetch the boundaries too. */
  readonly content: boolean;
  readonly reading: Reading & { readonly site: SiteDialect; readonly told: ToldLog };
}

export function remember({ question, reading }: LadderPoll, ladder: FollowLadder): Promise<void> {
  return keepLadder(question.url, ladder, reading.state);
}

/** The pages of the site. */
export async function siteOffer({ question, reading }: LadderPoll): Promise<PagesOffer> {
  const { site, state } = reading;
  const remembered = rememberedIn(state, { dialect: site.name });
  const reader = await site.reader();
  return await reader.discover({ ...question, isNamed: false }, { ...reading, remembered });
}

/** Delivers the result of a look at the pages. */
export function handOnPages(
  { content, reading }: LadderPoll,
  { pages }: PagesOffer,
  batches: Parameters<typeof handOn>[0],
): AsyncGenerator<FollowedEvent, PollOutcome> {
  return handOn(batches, { dialect: reading.site.name, content }, { ...reading, pages });
}

/** What the pages of the site reported instead of a feed; undefined if they never did. */
export function seamOf(
  { reading }: LadderPoll,
  ladder: FollowLadder | undefined,
  lastLook?: LastLook,
): (() => Promise<Seam>) | undefined {
  const falls = ladder === undefined ? [] : recentFalls(ladder, reading.now());
  if (ladder === undefined || falls.length === 0) return undefined;
  return async () => ({
    falls,
    tellings: await tellingsSince(falls, reading.told),
    isReturning: isReturning(ladder),
    ...(lastLook !== undefined && { lastLook }),
  });
}
