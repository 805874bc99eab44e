import type { LadderState } from '../../follow/ladder.ts';
import type { SourceConfig, SourceKind } from '../config/source-config.ts';
import type { SourceHealth } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

interface Bounds {
  readonly shortestMs: number;
  readonly startMs: number;
  readonly longestMs: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const BOUNDS: Readonly<Record<SourceKind, Bounds>> = {
  auto: { shortestMs: 5 * MINUTE, startMs: 15 * MINUTE, longestMs: DAY },
  folder: { shortestMs: 10 * SECOND, startMs: 30 * SECOND, longestMs: 10 * MINUTE },
  feed: { shortestMs: MINUTE, startMs: MINUTE, longestMs: DAY },
  site: { shortestMs: 5 * MINUTE, startMs: 15 * MINUTE, longestMs: DAY },
  page: { shortestMs: 2 * MINUTE, startMs: 10 * MINUTE, longestMs: DAY },
};

const WEB_FEED: Bounds = { shortestMs: 10 * MINUTE, startMs: 30 * MINUTE, longestMs: DAY };

/** Bounds of feeds that need another rhythm than feeds for machines. */
const BOUNDS_OF_DIALECT: ReadonlyMap<string, Bounds> = new Map([
  // Change lists are made for a daily look.
  ['resourcesync', { shortestMs: DAY, startMs: DAY, longestMs: DAY }],
  ...['atom', 'rss', 'json-feed'].map((dialect) => [dialect, WEB_FEED] as const),
]);

const AFTER_CHANGE = 0.5;
const AFTER_NONE = 1.25;
/** The first look after a failure comes no later than this: most failures are over by then. */
const FIRST_BACK_OFF_MS = 5 * MINUTE;
const LONGEST_BACK_OFF_MS = HOUR;
/** No origin and no wrong clock delays a check for longer. */
const LONGEST_PAUSE_MS = DAY;
const JITTER = 0.1;
/** Sources that are overdue when the hub starts are spread over at most this time. */
const LONGEST_SPREAD_MS = 5 * SECOND;
/** A source on the public net is not asked more often than this, whatever its config says. */
const PUBLIC_FLOOR_MS = MINUTE;

export interface RhythmOptions {
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly allowPrivate: boolean;
}

export interface FinishedCheck {
  readonly config: SourceConfig;
  /** The interval before this check. */
  readonly intervalMs: number;
  readonly outcome: Exclude<VisitOutcome, { readonly is: 'abandoned' }>;
  /** In a row, including this one. */
  readonly failures: number;
  readonly tookMs: number;
  /** The factor by which it may rest longer, because a hub pushes its news; 1 by default. */
  readonly restFactor?: number;
}

export interface NextCheck {
  readonly intervalMs: number;
  /** The time between two checks, if it rests longer than its interval. */
  readonly restMs?: number;
  /** From the end of this check. */
  readonly delayMs: number;
}

/** The interval of a source that was never checked. */
export function firstIntervalMs(config: SourceConfig, options: Pick<RhythmOptions, 'allowPrivate'>): number {
  return givenIntervalMs(config, options) ?? boundsOf(config).startMs;
}

/** The bounds of the interval of a source: when much changes, at first, and when nothing does. With a given interval all three are the same. */
export function rhythmOf(
  config: SourceConfig,
  read: Pick<LadderState, 'rung' | 'dialect'>,
  options: Pick<RhythmOptions, 'allowPrivate'>,
): Bounds {
  const givenMs = givenIntervalMs(config, options);
  if (givenMs !== undefined) return { shortestMs: givenMs, startMs: givenMs, longestMs: givenMs };
  const { shortestMs, longestMs } = boundsOf(config, read);
  return { shortestMs, startMs: clamp(firstIntervalMs(config, options), shortestMs, longestMs), longestMs };
}

/**
 * When to check again.
 *
 * An interval that the operator gave counts from the start of a check and is kept as it is. Otherwise the interval adapts: shorter after a change, longer
 * after none, within the bounds of the kind or dialect, and never shorter than a feed says that it stays fresh. Failures leave the interval as it was: after
 * the first one the source is asked again within its interval and five minutes, then later each time, up to an hour, but never later than a given interval. A
 * feed that may not be asked sooner is not, even with a given interval. A pause that the origin asked for is kept for up to a day: a check that comes sooner
 * because of a given interval makes no request and counts as another failure. If a hub pushes its news, a source without a given interval rests longer, up to
 * a day; its interval adapts as it would without.
 */
export function nextCheck(check: FinishedCheck, options: RhythmOptions): NextCheck {
  const { outcome } = check;
  const { retryAfterMs: askedMs = 0, isSpared = false } = outcome.is === 'failed' ? outcome : {};
  const retryAfterMs = Math.min(askedMs, LONGEST_PAUSE_MS);
  const givenMs = givenIntervalMs(check.config, options);
  if (givenMs !== undefined) {
    const boundMs = outcome.is === 'read' && outcome.isBound ? (outcome.freshMs ?? 0) : 0;
    const pauseMs = isSpared ? 0 : retryAfterMs;
    const againMs = outcome.is === 'failed' ? Math.min(givenMs, backOffMs(check, givenMs, options)) : givenMs;
    return { intervalMs: givenMs, delayMs: Math.max(0, againMs - check.tookMs, pauseMs, boundMs) };
  }

  const bounds = boundsOf(check.config, outcome.ladder);
  const intervalMs = clamp(check.intervalMs, bounds.shortestMs, bounds.longestMs);
  if (outcome.is === 'failed') {
    return { intervalMs, delayMs: Math.max(backOffMs(check, intervalMs, options), retryAfterMs) };
  }

  const floorMs = clamp(outcome.freshMs ?? 0, bounds.shortestMs, bounds.longestMs);
  const adaptedMs = intervalMs * (outcome.changes > 0 ? AFTER_CHANGE : AFTER_NONE);
  const nextMs = Math.round(clamp(adaptedMs, floorMs, bounds.longestMs));
  const restMs = Math.round(clamp(nextMs * (check.restFactor ?? 1), nextMs, bounds.longestMs));
  return {
    intervalMs: nextMs,
    ...(restMs > nextMs && { restMs }),
    delayMs: Math.max(jittered(restMs, options), floorMs),
  };
}

/** When a source with reported news may be checked: not sooner than `floorMs` after its last check, nor during a pause of its host. */
export function hastenedAtMs(
  { lastCheckMs = 0, failures, pause }: SourceHealth,
  nowMs: number,
  floorMs: number,
): number {
  const sinceMs = Math.min(lastCheckMs, nowMs);
  const restMs = failures > 0 ? Math.max(floorMs, PUBLIC_FLOOR_MS) : floorMs;
  return Math.max(nowMs, sinceMs + restMs, pause?.untilMs ?? 0);
}

function backOffMs({ failures }: FinishedCheck, intervalMs: number, options: RhythmOptions): number {
  const baseMs = Math.min(intervalMs, FIRST_BACK_OFF_MS);
  const doubledMs = Math.min(baseMs * 2 ** Math.min(failures - 1, 20), LONGEST_BACK_OFF_MS);
  return Math.min(doubledMs, Math.max(jittered(doubledMs, options), PUBLIC_FLOOR_MS));
}

/**
 * The delay from a start of the hub to the first check of a source.
 *
 * Sources that were never read are read at once, overdue ones within a few seconds, the rest when they are due. A due time further away than when it was
 * planned shows that the clock was set back. No plan reaches further than a day or the interval.
 */
export function startDelayMs(health: SourceHealth, nowMs: number, { random }: Pick<RhythmOptions, 'random'>): number {
  if (health.lastCheckMs === undefined) return 0;
  const leftMs = health.dueAtMs - nowMs;
  const longestMs = Math.max(LONGEST_PAUSE_MS, health.intervalMs) * (1 + JITTER);
  if (leftMs > 0) return Math.min(leftMs, Math.max(0, health.dueAtMs - health.lastCheckMs), longestMs);
  return Math.round(random() * Math.min(health.intervalMs * JITTER, LONGEST_SPREAD_MS));
}

/** A source of kind `auto` has the bounds of the way in which it is read now. */
function boundsOf(config: SourceConfig, ladder?: Pick<LadderState, 'rung' | 'dialect'>): Bounds {
  const isFeed = config.kind === 'feed' || ladder?.rung === 'feed';
  const dialect = config.kind === 'feed' ? config.dialect : ladder?.dialect;
  const ofDialect = isFeed && dialect !== undefined ? BOUNDS_OF_DIALECT.get(dialect) : undefined;
  return ofDialect ?? BOUNDS[isFeed ? 'feed' : config.kind];
}

function givenIntervalMs(config: SourceConfig, options: Pick<RhythmOptions, 'allowPrivate'>): number | undefined {
  if (config.intervalSeconds === undefined) return undefined;
  const isPublic = config.kind !== 'folder' && !options.allowPrivate;
  return Math.max(config.intervalSeconds * SECOND, isPublic ? PUBLIC_FLOOR_MS : SECOND);
}

function jittered(ms: number, { random }: RhythmOptions): number {
  return Math.round(ms * (1 + JITTER * (2 * random() - 1)));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
