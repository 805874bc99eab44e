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

/** A site without a feed is asked so often whether it has one now. */
const SEEK_MS = 24 * 3600_000;

/**
 * A look at pages that speak for a feed; and back to the feed where that can be read again. What it tells by then is known before the look, so
 * that the look shows all of it.
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
    // Pages that cannot be read keep nobody from a feed that can.
    if (feed === undefined || !(error instanceof SiteUnreadError) || error.recovery === 'stop') throw error;
    outcome = { freshMs: undefined };
  }
  return feed === undefined ? outcome : yield* goBack(poll, now, { ...feed, site });
}

/** What the first reading of the pages could not know is in the first change of each page. */
function lookAtPages({ reading }: LadderPoll, site: PagesOffer, state: LadderState): AsyncGenerator<Batch, ReadingEnd> {
  const batches = site.read(lookOptions(state));
  const fall = state.falls.at(-1);
  if (!state.isUnsure || fall === undefined) return batches;
  return wholePagesFirst(batches, async () => new Set((await tellingsSince([fall], reading.told)).keys()));
}

/** Only who returns to a feed, or has fallen from one, has to know what a look has seen. */
function lookOptions({ dialect, unread = [] }: LadderState): { readonly known?: ReadonlySet<string> } {
  return dialect === undefined ? {} : { known: new Set(unread) };
}

interface WellFeed {
  readonly dialect: string;
  readonly sketch: FeedSketch;
}

interface Tried {
  readonly state: FollowLadder;
  /** The feed that is to be returned to; absent where none is. */
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

/** A feed that was never read begins where the pages stand that spoke for it. */
function findFeed({ question, reading }: LadderPoll, { lastGoodMs, falls }: LadderState) {
  const begunMs = lastGoodMs === undefined ? falls.at(-1)?.lookedMs : undefined;
  const since = begunMs === undefined ? question.since : { timeMs: begunMs };
  // It is asked once more in the same poll.
  const ports = { ...reading, site: undefined, dueAt: new Map<string, number>() };
  return findOffer({ ...question, ...(since !== undefined && { since }) }, ports);
}

/** The turn is written before anything that the feed tells, so that a stop in between does not look at the pages once more. */
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
