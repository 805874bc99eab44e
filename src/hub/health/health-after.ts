import type { CheckError, SourceHealth } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

export interface CheckMoment {
  /** When the check ended. */
  readonly atMs: number;
  readonly intervalMs: number;
  readonly restMs?: number | undefined;
  readonly dueAtMs: number;
}

const MAX_GAPS = 20;
const PAUSING = [429, 503];

/** For a source that was never checked. It is due at once. */
export function firstHealth({ nowMs, intervalMs }: { nowMs: number; intervalMs: number }): SourceHealth {
  return { changed: false, failures: 0, intervalMs, dueAtMs: nowMs, changeGapsMs: [] };
}

/**
 * The health of a source after a finished check, in the terms of DiffDelta 1.1 §5: stale since the first failure in a row, until it is read again; changed
 * only if it was read and something was new.
 */
export function healthAfter(
  before: SourceHealth,
  outcome: Exclude<VisitOutcome, { readonly is: 'abandoned' }>,
  { atMs, intervalMs, restMs, dueAtMs }: CheckMoment,
): SourceHealth {
  const lastChangeMs = outcome.changes > 0 ? atMs : before.lastChangeMs;
  const kept = {
    lastCheckMs: atMs,
    ...(lastChangeMs === undefined ? {} : { lastChangeMs }),
    intervalMs,
    ...(restMs !== undefined && { restMs }),
    dueAtMs,
    looks: (before.looks ?? 0) + 1,
    changeGapsMs: outcome.changes > 0 ? gapsWith(before, atMs) : before.changeGapsMs,
    ...(outcome.pause === undefined ? {} : { pause: outcome.pause }),
    ...ladderOf(outcome.ladder ?? before.ladder),
  };
  if (outcome.is === 'read') {
    const { fallback, unread = 0, notes, rules, honesty = before.honesty, volatile, unstable } = outcome;
    return {
      ...kept,
      lastOkMs: atMs,
      changed: outcome.changes > 0,
      failures: 0,
      ...(fallback === undefined ? {} : { fallback }),
      ...(unread > 0 && { unread }),
      ...(notes.length > 0 && { notes }),
      ...(rules !== undefined && { rules }),
      ...(honesty !== undefined && { honesty }),
      ...(volatile !== undefined && { volatile }),
      ...(unstable !== undefined && { unstable }),
    };
  }
  return {
    ...kept,
    ...(before.lastOkMs === undefined ? {} : { lastOkMs: before.lastOkMs }),
    ...(before.unread === undefined ? {} : { unread: before.unread }),
    ...(before.notes === undefined ? {} : { notes: before.notes }),
    ...(before.rules === undefined ? {} : { rules: before.rules }),
    ...(before.honesty === undefined ? {} : { honesty: before.honesty }),
    ...(before.volatile === undefined ? {} : { volatile: before.volatile }),
    ...(before.unstable === undefined ? {} : { unstable: before.unstable }),
    changed: false,
    failures: before.failures + 1,
    staleSinceMs: before.staleSinceMs ?? atMs,
    error: withStatus(outcome.error, before.error),
  };
}

function ladderOf(ladder: SourceHealth['ladder']): Pick<SourceHealth, 'ladder'> {
  return ladder === undefined ? {} : { ladder };
}

/** During a pause of a host, the answer that asked for it is why its source cannot be read. */
function withStatus(error: CheckError, before: CheckError | undefined): CheckError {
  if (error.code !== 'HostPausedError' || before?.httpStatus === undefined) return error;
  return PAUSING.includes(before.httpStatus) ? { ...error, httpStatus: before.httpStatus } : error;
}

/** Nobody looks any more: stale from now on, if it was not before. */
export function pausedHealth(before: SourceHealth, atMs: number): SourceHealth {
  return { ...before, changed: false, staleSinceMs: before.staleSinceMs ?? atMs };
}

/** Due at once, and without pauses. Failures and the start of staleness are kept until it is read. */
export function resumedHealth({ pause: _, ...before }: SourceHealth, atMs: number): SourceHealth {
  return { ...before, dueAtMs: atMs };
}

/** A clock that was set back between two changes leaves no gap. */
function gapsWith({ lastChangeMs, changeGapsMs }: SourceHealth, atMs: number): readonly number[] {
  if (lastChangeMs === undefined || atMs <= lastChangeMs) return changeGapsMs;
  return [...changeGapsMs, atMs - lastChangeMs].slice(-MAX_GAPS);
}
