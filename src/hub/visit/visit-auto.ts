import { formatTime } from '../../codecs/primitives/time.ts';
import {
  afterReading,
  type FeedOutcome,
  LADDER_LIMITS,
  type LadderLimits,
  type LadderState,
} from '../../follow/ladder.ts';
import { quietSinceMs } from '../../follow/quiet.ts';
import type { AutoConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { decide, isUndecided } from './auto-decide.ts';
import { type FeedLook, fall } from './auto-fall.ts';
import { readAutoFeed } from './auto-feed.ts';
import { visitFallen } from './auto-return.ts';
import {
  type AutoVisit,
  type AutoVisitPorts,
  brokenBy,
  hasFeed,
  keep,
  outcomeOf,
  type WithFeed,
} from './auto-visit.ts';
import { ladderOf } from './ladder-memory.ts';
import type { SourceReading } from './source-reading.ts';

/** The second look at a feed that seems gone, and one more if a timer fired early. */
const MAX_LOOKS = 3;
/** How often a quiet feed is compared with its pages. */
const CALM_MS = 24 * 3600_000;

/**
 * Reads a site in the best way that it offers: the first of its feeds that can be read, in the order of the dialects, or its pages if it has no feed or while
 * that feed is broken. Nothing is lost or reported twice when it switches.
 */
export async function visitAuto(
  config: AutoConfig,
  source: Pick<WatchedSource, 'health' | 'allowDeletes'>,
  ports: AutoVisitPorts,
): Promise<SourceReading> {
  const visit: AutoVisit = { config, source, ports };
  const state = await ladderOf(ports.store.followStateOf(config.id), source.health);
  if (state === undefined || isUndecided(state)) return await decide(visit, state?.failures ?? 0);
  keep(visit, state);
  return state.rung === 'feed' && hasFeed(state) ? await visitOnFeed(visit, state) : await visitFallen(visit, state);
}

async function visitOnFeed(visit: AutoVisit, before: WithFeed, looks = 1): Promise<SourceReading> {
  const { ports } = visit;
  const startedMs = ports.now();
  const { outcome, look } = await lookAtFeed(visit, before);
  const { state: after, step } = afterReading(before, outcome, startedMs, limitsOf(visit));
  const state = { ...after, dialect: before.dialect };
  keep(visit, state);
  if (step.do === 'fall') return await fall(visit, state, { step, look });
  if (step.do === 'look-again' && looks < MAX_LOOKS) {
    await ports.wait(step.afterMs, ports.signal);
    ports.signal.throwIfAborted();
    return await visitOnFeed(visit, state, looks + 1);
  }
  if ('error' in look) throw look.error;
  return look.reading;
}

function limitsOf({ ports: { confirmMs = LADDER_LIMITS.confirmMs } }: AutoVisit): LadderLimits {
  return { ...LADDER_LIMITS, confirmMs };
}

async function lookAtFeed(
  visit: AutoVisit,
  state: WithFeed,
): Promise<{ readonly outcome: FeedOutcome; readonly look: FeedLook }> {
  try {
    const { reading, events } = await readAutoFeed(visit, state);
    const outcome = outcomeOf(reading, events);
    const why = outcome.is === 'well' && events === 0 ? stuckSince(visit, state) : undefined;
    return { look: { reading }, outcome: why === undefined ? outcome : { is: 'stuck', why } };
  } catch (error) {
    return { look: { error }, outcome: brokenBy(error, visit) };
  }
}

/** Why the feed, by its own rhythm, should have reported something; undefined if it should not, or its pages were compared recently. */
function stuckSince({ source: { health }, ports }: AutoVisit, { calmMs = 0 }: LadderState): string | undefined {
  const quietMs = quietSinceMs(health);
  if (quietMs === undefined || ports.now() - calmMs < CALM_MS) return undefined;
  return `it has told nothing since ${formatTime(health.lastChangeMs ?? quietMs)}, which is longer than its own rhythm allows.`;
}
