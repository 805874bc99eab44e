import type { SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import type { ShelfSource } from '../../shelf.ts';
import type { EntryFacts } from '../runs/make-feed.ts';

/** What a feed said about its source before. */
export interface PastFacts {
  readonly entry?: SourceEntry;
  readonly lastOkMs?: number;
}

/**
 * The status of a source (DD-E1…E12, DD-F1…F5). The time of the last good check is included only for a stale source: a feed must
 * not be rewritten because a check found everything well.
 */
export function entryFacts(source: ShelfSource | undefined, past: PastFacts, nowMs: number): EntryFacts {
  if (source === undefined) return removedFacts(past, nowMs);
  const { health, status } = source;
  if (status === 'ok') return readFacts(source);
  if (status === 'degraded') {
    return {
      ...readFacts(source),
      status,
      fallback_active: true,
      fallback_index: health.fallback ?? 0,
      degraded_reason: 'primary_endpoint_failed',
    };
  }
  const { code = 'UnknownError', httpStatus } = health.error ?? {};
  return {
    ...nameOf(source),
    status,
    stale: true,
    stale_since: formatTime(health.staleSinceMs ?? health.lastCheckMs ?? source.addedAtMs),
    ...lastOk(health.lastOkMs ?? past.lastOkMs, nowMs),
    ...(status === 'error'
      ? {
          consecutive_failures: Math.max(1, health.failures),
          error: { code, ...(httpStatus !== undefined && { http_status: httpStatus }) },
        }
      : { disabled_reason: source.paused?.trim() || 'paused' }),
  };
}

/** The status of a source at the time of a run: it was read just now, whatever its last finished check says. */
export function runFacts(source: ShelfSource | undefined, past: PastFacts, nowMs: number): EntryFacts {
  if (source === undefined) return { ...pastName(past), status: 'ok', stale: false };
  return source.status === 'degraded' ? entryFacts(source, past, nowMs) : readFacts(source);
}

function readFacts(source: ShelfSource): EntryFacts {
  return { ...nameOf(source), status: 'ok', stale: false };
}

function removedFacts(past: PastFacts, nowMs: number): EntryFacts {
  const { entry } = past;
  return {
    ...pastName(past),
    status: 'disabled',
    stale: true,
    stale_since: entry?.stale_since ?? formatTime(nowMs),
    ...lastOk(past.lastOkMs, nowMs),
    disabled_reason: 'removed',
  };
}

function nameOf({ title }: ShelfSource): { readonly name?: string } {
  return title === undefined ? {} : { name: title };
}

function pastName({ entry }: PastFacts): { readonly name?: string } {
  return entry?.name === undefined ? {} : { name: entry.name };
}

/** Empty for a source that was never read (T-DD-11). */
function lastOk(lastOkMs: number | undefined, nowMs: number): Pick<EntryFacts, 'last_ok_at' | 'stale_age_sec'> {
  if (lastOkMs === undefined) return {};
  return { last_ok_at: formatTime(lastOkMs), stale_age_sec: Math.max(0, Math.floor((nowMs - lastOkMs) / 1000)) };
}
