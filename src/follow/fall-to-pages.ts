import { warn } from '../dialects/diagnostic.ts';
import { dialectNamed } from '../dialects/feed-readers.ts';
import { SiteUnreadError } from '../errors/site-unread-error.ts';
import type { FallChanges, TakenPage } from './fall-changes.ts';
import { brokenFeed } from './feed-outcome.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { PollOutcome } from './hand-on.ts';
import { fallen, firstOnPages, type LadderState, type LadderStep } from './ladder.ts';
import type { FollowLadder } from './ladder-at.ts';
import { handOnPages, type LadderPoll, remember, siteOffer } from './ladder-poll.ts';
import { type LookNotes, notingBatches } from './look-notes.ts';
import { isSomebodyElses } from './new-owner.ts';
import { toldSiteOf } from './told-log.ts';

/** For a feed that was never read and cannot be read now: the follower returns to it once it is healthy. */
export async function* beginOnPages(
  poll: LadderPoll,
  dialect: string | undefined,
  why: string,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { reading } = poll;
  warn(reading, 'passed-over', `${why} Followed instead: its pages.`);
  const atMs = reading.now();
  const site = await siteOffer(poll);
  const outcome = yield* handOnPages(poll, site, site.read());
  await remember(poll, { ...firstOnPages(atMs, reading.now()), ...(dialect !== undefined && { dialect }) });
  return outcome;
}

interface FallReason {
  readonly step: Extract<LadderStep, { readonly do: 'fall' }>;
  /** The result of the look at the feed: an outcome if it is only stuck. */
  readonly orElse: { readonly error: unknown } | { readonly outcome: PollOutcome };
}

/**
 * The pages replace the feed from now on: what they show that it has not reported is reported. If the pages cannot be read either, or if a feed only
 * seems stuck and its pages show nothing new, nothing changes.
 */
export async function* fallToPages(
  poll: LadderPoll,
  state: FollowLadder,
  { step, orElse }: FallReason,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { reading } = poll;
  const { reason, isStuck, isGone } = step;
  const atMs = reading.now();
  const fromMs = isStuck ? state.lastChangeMs : state.lastGoodMs;
  const told = await toldSiteOf(reading.told);
  const site = await siteOffer(poll);
  const look: LookNotes = { events: 0 };
  let isCalm = false;
  const doubt: { isUnsure?: true } = {};
  const isSnapshot = await hasSnapshots(poll, state);
  const onPages = (pages: readonly TakenPage[]) => {
    const isOther = isGone && !poll.question.allowDeletes && isSomebodyElses(pages, told);
    if (isOther) throw newOwnerError(poll.question.url);
  };
  const onFound = ({ changes, isSure }: FallChanges) => {
    isCalm = isStuck && isSure && changes.length === 0;
    if (isSnapshot && !isSure) doubt.isUnsure = true;
    if (!isCalm) sayFallen(poll, state, reason);
  };
  try {
    const batches = notingBatches(look, site.readInstead({ told, fromMs, onPages, onFound }));
    const outcome = yield* handOnPages(poll, site, batches);
    const down = {
      ...fallen(state, { reason, isStuck, fromMs, atMs, readMs: reading.now() }),
      unread: site.seen.unread,
      ...doubt,
    };
    await remember(poll, isCalm ? { ...state, calmMs: atMs } : down);
    return isCalm && 'outcome' in orElse ? orElse.outcome : outcome;
  } catch (thrown) {
    // A person has to look at the site first, or the error is not the site's.
    const isUnread = thrown === look.error && brokenFeed(thrown) !== undefined && !reading.signal.aborted;
    if (!isUnread) throw thrown;
    if ('error' in orElse) throw orElse.error;
    return orElse.outcome;
  }
}

/** Whether the feed reports several edits of one page as one. */
async function hasSnapshots({ reading }: LadderPoll, { dialect = '' }: LadderState): Promise<boolean> {
  const reader = await dialectNamed(reading.dialects, dialect)?.reader?.();
  return reader?.isSnapshot ?? false;
}

function newOwnerError({ href }: URL): SiteUnreadError {
  const what = `${href} seems to be somebody else's: its feed is gone, and no page of it says anything of what it said.`;
  const remedy =
    'Nothing was told. Look at it in a browser; if it is still the site that you mean, follow it once with --allow-deletes.';
  return new SiteUnreadError(href, `${what} ${remedy}`, 'stop');
}

function sayFallen({ question, reading }: LadderPoll, { dialect = '' }: LadderState, reason: string): void {
  const feed = `${question.url.href}: its ${dialect} feed is given up for now. ${reason}`;
  warn(reading, 'fallen', `${feed} Its pages are read until it is well again.`);
}
