import { TidingsError } from '../../errors/tidings-error.ts';
import { WriteRefusedError } from '../../errors/write-refused-error.ts';
import { healthAfter, pausedHealth } from '../health/health-after.ts';
import { nextCheck, type RhythmOptions } from '../schedule/rhythm.ts';
import type { CheckRecord, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import { shortNotes } from '../visit/source-reading.ts';
import { isUnwritable } from './watch-writer.ts';

export type FinishedOutcome = Exclude<VisitOutcome, { readonly is: 'abandoned' }>;

/** The result of a look at a source, even if the visit threw. */
export type Look =
  | VisitOutcome
  /** The source was read, but the findings could not be stored. */
  | { readonly is: 'refused'; readonly error: unknown }
  | { readonly is: 'broken'; readonly error: unknown };

/** The record of a check holds this many lines of its notes. */
const NOTES_OF_A_CHECK = 3;

/** Never rejects. */
export async function look(visit: () => Promise<VisitOutcome>, signal: AbortSignal): Promise<Look> {
  try {
    const outcome = await visit();
    // A failure after an abort says nothing about the source.
    return outcome.is === 'failed' && signal.aborted ? { is: 'abandoned', changes: outcome.changes } : outcome;
  } catch (error) {
    if (isUnwritable(error)) return { is: 'refused', error };
    // Another process visits it, or is to do so.
    if (signal.aborted || error instanceof WriteRefusedError) return { is: 'abandoned', changes: 0 };
    if (!(error instanceof TidingsError)) return { is: 'broken', error };
    return { is: 'failed', error: { code: error.name, message: error.message }, changes: 0 };
  }
}

/** The outcome for a source that was hit by a bug of ours. The bug itself goes into the log of the hub. */
export const INTERNAL_ERROR: FinishedOutcome = {
  is: 'failed',
  error: { code: 'InternalError', message: 'The hub failed while it read this source. Its own log says where.' },
  changes: 0,
};

/** The outcome for a source whose findings the store refused: nothing was stored, so nothing counts as read. */
export function refusedOutcome(error: unknown): FinishedOutcome {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { is: 'failed', error: { code: name, message }, changes: 0 };
}

export interface CheckFacts {
  readonly startedMs: number;
  readonly endedMs: number;
  /** The source was resumed during the check: it is due now, and `allowDeletes` is for the next check. */
  readonly isOverruled: boolean;
  /** The delay until the next look, whatever the rhythm says. */
  readonly againMs?: number;
  /** The factor by which its rest may exceed its interval. */
  readonly restFactor?: number;
}

export interface CheckResult {
  readonly source: WatchedSource;
  readonly check: CheckRecord;
  /** From the end of the check. */
  readonly delayMs: number;
}

/** The state of a source after a check. */
export function checked(
  before: WatchedSource,
  outcome: FinishedOutcome,
  { startedMs, endedMs, isOverruled, againMs, restFactor = 1, ...rhythm }: CheckFacts & RhythmOptions,
): CheckResult {
  const { config, health } = before;
  const tookMs = Math.max(0, endedMs - startedMs);
  const next = nextCheck(
    { config, intervalMs: health.intervalMs, outcome, failures: health.failures + 1, tookMs, restFactor },
    rhythm,
  );
  const delayMs = isOverruled ? 0 : (againMs ?? next.delayMs);
  const after = healthAfter(health, outcome, {
    atMs: endedMs,
    intervalMs: next.intervalMs,
    restMs: next.restMs,
    dueAtMs: endedMs + delayMs,
  });
  const { allowDeletes, ...kept } = before;
  const mayStillDelete = allowDeletes && (outcome.is === 'failed' || isOverruled);
  const source: WatchedSource = {
    ...kept,
    ...(mayStillDelete && { allowDeletes }),
    health: before.paused === undefined ? after : pausedHealth(after, health.staleSinceMs ?? endedMs),
  };
  return { source, check: recordOf(config.id, outcome, { startedMs, tookMs }), delayMs };
}

function recordOf(
  source: string,
  outcome: FinishedOutcome,
  { startedMs, tookMs }: { startedMs: number; tookMs: number },
): CheckRecord {
  const { changes } = outcome;
  if (outcome.is === 'failed') {
    return { source, atMs: startedMs, tookMs, outcome: 'error', changes, error: outcome.error };
  }
  const { pages, unread, fallback, notes } = outcome;
  return {
    source,
    atMs: startedMs,
    tookMs,
    outcome: fallback === undefined ? 'ok' : 'fallback',
    changes,
    ...(pages !== undefined && { pages }),
    ...(unread !== undefined && { unread }),
    ...(notes.length > 0 && { notes: shortNotes(notes, NOTES_OF_A_CHECK) }),
  };
}
