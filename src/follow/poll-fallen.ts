import { warn } from '../dialects/diagnostic.ts';
import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import { SiteUnreadError } from '../errors/site-unread-error.ts';
import { brokenFeed } from './feed-outcome.ts';
import { findOffer } from './find-offer.ts';
import type { FollowedEvent } from './followed-event.ts';
import { handOn, type PollOutcome } from './hand-on.ts';
import { afterReading, type FeedOutcome, type LadderState, looked, returned } from './ladder.ts';
import type { FollowLadder } from './ladder-at.ts';
import { handOnPages, type LadderPoll, remember, seamOf, siteOffer } from './ladder-poll.ts';
import { type FeedSketch, throughSeam } from './seam.ts';
import type { PagesOffer } from './site-rung.ts';
import { tellingsSince } from './told-log.ts';
import { tryOffer } from './try-offer.ts';
import { wholePagesFirst } from './whole-pages-first.ts';

/** How often a site without a feed is checked for a new one. */
const SEEK_MS = 24 * 3600_000;

/**
 * A look at the pages that replace a feed, and the return to the feed if it can be read again. What the feed reports by then is read before the look,
 * so the look shows all of it.
 */
export async function* pollFallen(poll: LadderPoll, before: FollowLadder): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { reading } = poll;
  const { state, feed } = await tryFeed(poll, before);
  await remember(poll, state);
  const site = await siteOffer(poll);
  let now = state;
  let outcome: PollOutcome;
  try {
    const lookMs = reading.now();
    outcome = yield* handOnPages(poll, site, lookAtPages(poll, site, state));
    now = { ...looked(state, lookMs), unread: (state.unread ?? []).filter((url) => !site.seen.read.has(url)) };
    await remember(poll, now);
  } catch (error) {
    // Unreadable pages do not prevent the return to a readable feed.
    if (feed === undefined || !(error instanceof SiteUnreadError) || error.recovery === 'stop') throw error;
    outcome = { freshMs: undefined };
  }
  return feed === undefined ? outcome : yield* goBack(poll, now, { ...feed, site });
}

/** The first change of each page includes what the first reading of the pages could not know. */
function lookAtPages({ reading }: LadderPoll, site: PagesOffer, state: LadderState): AsyncGenerator<Batch, ReadingEnd> {
  const batches = site.read(lookOptions(state));
  const fall = state.falls.at(-1);
  if (!state.isUnsure || fall === undefined) return batches;
  return wholePagesFirst(batches, async () => new Set((await tellingsSince([fall], reading.told)).keys()));
}

/** Only a follower that returns to a feed, or has fallen from one, must know what a look has seen. */
function lookOptions({ dialect, unread = [] }: LadderState): { readonly known?: ReadonlySet<string> } {
  return dialect === undefined ? {} : { known: new Set(unread) };
}

interface WellFeed {
  readonly dialect: string;
  readonly sketch: FeedSketch;
}

interface Tried {
  readonly state: FollowLadder;
  /** The feed to return to; absent if there is none. */
  readonly feed?: WellFeed;
}

async function tryFeed(poll: LadderPoll, before: FollowLadder): Promise<Tried> {
  const nowMs = poll.reading.now();
  if (before.dialect === undefined && nowMs - (before.soughtMs ?? before.sinceMs) < SEEK_MS) return { state: before };
  const { outcome, feed } = await tried(poll, before);
  if (before.dialect === undefined)
    return { state: { ...before, soughtMs: nowMs }, ...(feed !== undefined && { feed }) };
  const { state, step } = afterReading(before, outcome, nowMs);
  return { state, ...(step.do === 'return' && feed !== undefined && { feed }) };
}

async function tried(
  poll: LadderPoll,
  ladder: FollowLadder,
): Promise<{ readonly outcome: FeedOutcome; readonly feed?: WellFeed }> {
  try {
    const found = await findFeed(poll, ladder);
    const { outcome, sketch } = await tryOffer(found);
    return outcome.is === 'well' ? { outcome, feed: { dialect: found.dialect, sketch } } : { outcome };
  } catch (error) {
    const broken = poll.reading.signal.aborted ? undefined : brokenFeed(error);
    if (broken === undefined) throw error;
    return { outcome: broken };
  }
}

/** A feed that was never read begins where the pages that replaced it are. */
function findFeed({ question, reading }: LadderPoll, { lastGoodMs, falls }: LadderState) {
  const begunMs = lastGoodMs === undefined ? falls.at(-1)?.lookedMs : undefined;
  const since = begunMs === undefined ? question.since : { timeMs: begunMs };
  // It is asked once more in the same poll.
  const ports = { ...reading, site: undefined, dueAt: new Map<string, number>() };
  return findOffer({ ...question, ...(since !== undefined && { since }) }, ports);
}

/** The turn is saved before anything that the feed reports, so that a stop in between does not cause another look at the pages. */
async function* goBack(
  poll: LadderPoll,
  state: FollowLadder,
  { dialect, sketch, site }: WellFeed & { readonly site: PagesOffer },
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { question, content, reading } = poll;
  const startedMs = reading.now();
  const { offer } = await findFeed(poll, state);
  const back = returned(state, dialect, startedMs);
  await remember(poll, back);
  warn(reading, 'returned', `${question.url.href}: its ${dialect} feed is well again, and is followed.`);
  const { sinceMs, read } = site.seen;
  const seenMs = (page: string) => (read.has(page) ? sinceMs : undefined);
  const seam = seamOf(poll, back, { toldBefore: sketch, seenMs });
  const batches = seam === undefined ? offer.read() : throughSeam(offer.read(), seam);
  const outcome = yield* handOn(batches, { dialect, content }, reading);
  if (outcome.incomplete === undefined) {
    await remember(poll, afterReading(back, { is: 'well', freshMs: outcome.freshMs }, startedMs).state);
  }
  return outcome;
}
