import { beginOnPages, fallToPages } from './fall-to-pages.ts';
import { brokenFeed } from './feed-outcome.ts';
import { rhythmAfter, stuckSince } from './feed-rhythm.ts';
import { type FoundOffer, findOffer } from './find-offer.ts';
import type { FollowedEvent } from './followed-event.ts';
import { handOn, type PollOutcome } from './hand-on.ts';
import { afterReading, firstOnFeed, firstOnPages } from './ladder.ts';
import type { FollowLadder } from './ladder-at.ts';
import { type LadderPoll, remember, seamOf } from './ladder-poll.ts';
import { counting, type LookNotes, noting, notingBatches } from './look-notes.ts';
import { throughSeam } from './seam.ts';

/** The second look at a feed that seems gone, and one more in case a timer was early. */
const MAX_LOOKS = 3;
/** A path with such an ending is a document for machines, and no site lies below it. */
const FEED_FILE = /\.(?:xml|json|ndjson|jsonl|atom|rss|rdf|txt)(?:\.gz)?$|\/\.well-known\//i;

/**
 * Follows the first feed that a site offers. If it is broken, the pages replace it: at once if nothing was read of it so far, otherwise when the
 * ladder says so.
 */
export async function* pollFeed(
  poll: LadderPoll,
  ladder: FollowLadder | undefined,
  looks = 1,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { question, reading } = poll;
  const startedMs = reading.now();
  const look: LookNotes = { events: 0 };
  try {
    return yield* lookAtFeed(poll, ladder, look);
  } catch (error) {
    const isOfFeed = error === look.error && !reading.signal.aborted && !FEED_FILE.test(question.url.pathname);
    const broken = isOfFeed && !look.found?.isRecognized ? brokenFeed(error) : undefined;
    const known = ladder ?? (look.found?.isRemembered ? firstOnFeed(look.found.dialect, startedMs) : undefined);
    if (broken === undefined || (known === undefined && look.found === undefined)) throw error;
    if (known === undefined) {
      if (look.events > 0) throw error;
      return yield* beginOnPages(poll, look.found?.dialect, broken.why);
    }
    const { state, step } = afterReading(known, broken, startedMs);
    await remember(poll, state);
    if (step.do === 'look-again' && looks < MAX_LOOKS) {
      await reading.wait?.(step.afterMs, reading.signal);
      reading.signal.throwIfAborted();
      return yield* pollFeed(poll, state, looks + 1);
    }
    if (step.do !== 'fall') throw error;
    return yield* fallToPages(poll, state, { step, orElse: { error } });
  }
}

async function* lookAtFeed(
  poll: LadderPoll,
  ladder: FollowLadder | undefined,
  look: LookNotes,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { question, content, reading } = poll;
  const startedMs = reading.now();
  const found = await noting(look, findOffer(question, reading));
  look.found = found;
  const { dialect, offer, isRecognized } = found;
  if (dialect === reading.site.name) return yield* followPages(poll, found, ladder);
  const batches = notingBatches(look, offer.read());
  const seam = seamOf(poll, ladder);
  const events = handOn(seam === undefined ? batches : throughSeam(batches, seam), { dialect, content }, reading);
  const outcome = yield* counting(look, events);
  if (isRecognized || outcome.incomplete !== undefined) return outcome;
  const before: FollowLadder = ladder ?? firstOnFeed(dialect, startedMs);
  const rhythm = rhythmAfter(before, look.events, startedMs);
  const well = { is: 'well', freshMs: outcome.freshMs, hasNews: look.events > 0 } as const;
  const state = { ...afterReading(before, well, startedMs).state, ...rhythm };
  await remember(poll, state);
  const why = look.events === 0 ? stuckSince(state, startedMs) : undefined;
  if (why === undefined) return outcome;
  return yield* fallToPages(poll, state, {
    step: { do: 'fall', reason: why, isStuck: true, isGone: false },
    orElse: { outcome },
  });
}

/** For a site without a feed: its pages report everything. */
async function* followPages(
  poll: LadderPoll,
  { offer, passedOver: dialect }: FoundOffer,
  ladder: FollowLadder | undefined,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { content, reading } = poll;
  const { pages = reading.pages } = offer;
  const atMs = reading.now();
  const outcome = yield* handOn(offer.read(), { dialect: reading.site.name, content }, { ...reading, pages });
  if (ladder === undefined) {
    const first = { ...firstOnPages(atMs, reading.now()), soughtMs: atMs };
    await remember(poll, { ...first, ...(dialect !== undefined && { dialect }) });
  }
  return outcome;
}
