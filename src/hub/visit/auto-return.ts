import { afterReading, type FeedOutcome, type LadderState, looked, returned } from '../../follow/ladder.ts';
import type { FeedSketch } from '../../follow/seam.ts';
import { readAutoFeed, tryFeed } from './auto-feed.ts';
import {
  type AutoVisit,
  brokenBy,
  feedsFor,
  hasFeed,
  insteadOfFeed,
  isOfSource,
  keep,
  outcomeOf,
  siteOf,
  turn,
  type WithFeed,
} from './auto-visit.ts';
import { FallenLook } from './fallen-look.ts';
import { createLookWatch, type LookWatch } from './look-watch.ts';
import type { SourceReading } from './source-reading.ts';
import { visitSite } from './visit-site.ts';

/** How often a site without a feed is asked whether it has one now. */
const SEEK_MS = 24 * 3600_000;

/**
 * Looks at pages that replace a feed, and returns to the feed if it can be read again. The feed is read before the look, so that the look shows everything
 * that the feed reports by then.
 */
export async function visitFallen(visit: AutoVisit, before: LadderState): Promise<SourceReading> {
  const { state, feed } = hasFeed(before) ? await tryKnown(visit, before) : await seek(visit, before);
  keep(visit, state);
  const watch = createLookWatch(visit.ports);
  const look = await lookAtPages(visit, state, watch).catch((error: unknown) => {
    // If only the pages cannot be read, the feed is still used.
    if (feed === undefined || !isOfSource(error, visit)) throw error;
    return { state, reading: undefined };
  });
  keep(visit, look.state);
  if (feed === undefined || !hasFeed(state)) return insteadOfFeed(look.reading ?? { notes: [] }, look.state);
  return await goBack(visit, { ...look.state, dialect: state.dialect }, { ...look, feed, watch });
}

interface Tried {
  readonly state: LadderState;
  /** What the feed will report, if the source returns to it; otherwise absent. */
  readonly feed?: FeedSketch;
}

async function tryKnown(visit: AutoVisit, before: WithFeed): Promise<Tried> {
  const { outcome, sketch } = await tried(visit, before);
  const { state, step } = afterReading(before, outcome, visit.ports.now());
  return step.do === 'return' && sketch !== undefined ? { state, feed: sketch } : { state };
}

/** For a site without a feed so far: the first feed that can be read, looked for once a day. */
async function seek(visit: AutoVisit, before: LadderState): Promise<Tried> {
  const { ports } = visit;
  const { soughtMs = before.sinceMs } = before;
  if (ports.now() - soughtMs < SEEK_MS) return { state: before };
  for (const dialect of await feedsFor(visit)) {
    const { sketch } = await tried(visit, { ...before, dialect });
    if (sketch !== undefined) return { state: { ...before, dialect, soughtMs: ports.now() }, feed: sketch };
  }
  return { state: { ...before, soughtMs: ports.now() } };
}

async function tried(
  visit: AutoVisit,
  state: WithFeed,
): Promise<{ readonly outcome: FeedOutcome; readonly sketch?: FeedSketch }> {
  try {
    const { end, sketch } = await tryFeed(visit, state);
    const outcome = outcomeOf(end, sketch.ids.size);
    return outcome.is === 'well' ? { outcome, sketch } : { outcome };
  } catch (error) {
    return { outcome: brokenBy(error, visit) };
  }
}

interface PagesLook {
  readonly state: LadderState;
  readonly reading: SourceReading | undefined;
}

async function lookAtPages(visit: AutoVisit, state: LadderState, watch: LookWatch): Promise<PagesLook> {
  const { config, source, ports } = visit;
  const lookMs = ports.now();
  const { unread = [] } = state;
  const retell = new FallenLook(visit, state);
  const how = { isFirstReading: false, retell, onCompared: watch.onCompared };
  const reading = await visitSite(siteOf(config), source, { ...ports, pages: watch.pages }, how);
  const left = unread.filter((url) => watch.seenMs(url) === undefined);
  return { state: looked({ ...state, unread: left }, lookMs), reading };
}

/** The turn is stored before anything that the feed reports, so that a stop in between does not cause another look at the pages. */
async function goBack(
  visit: AutoVisit,
  state: WithFeed,
  { reading, feed, watch }: Omit<PagesLook, 'state'> & { readonly feed: FeedSketch; readonly watch: LookWatch },
): Promise<SourceReading> {
  const { ports } = visit;
  const startedMs = ports.now();
  const back = { ...returned(state, state.dialect, startedMs), dialect: state.dialect };
  await turn(visit, back);
  try {
    const found = await readAutoFeed(visit, back, { toldBefore: feed, seenMs: watch.seenMs });
    keep(visit, afterReading(back, outcomeOf(found.reading, found.events), startedMs).state);
    return { ...reading, ...found.reading };
  } catch (error) {
    keep(visit, afterReading(back, brokenBy(error, visit), startedMs).state);
    throw error;
  }
}
