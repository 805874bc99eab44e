import { formatTime } from '../../codecs/primitives/time.ts';
import { type SourceChangeIds, type SourceStatus, sourceStatus } from '../health/source-status.ts';
import type { CheckRecord, WatchedSource } from '../hub-store.ts';
import type { SourceConfig } from '../source-config.ts';

/** A source as `/api/v1/sources` shows it to the admin. `config` is what adds the same source again. */
export interface SourceView {
  readonly id: string;
  readonly config: SourceConfig;
  readonly origin: WatchedSource['origin'];
  readonly addedAt: string;
  /** Absent when it is not paused. */
  readonly paused?: string;
  /** The rhythm as it is now. */
  readonly intervalSeconds: number;
  /** As in `/state/health.json`. */
  readonly health: SourceStatus;
  /** What the last check failed of, in words. */
  readonly errorMessage?: string;
}

/** One check as `/api/v1/sources/:id/checks` shows it. */
export interface CheckView extends Omit<CheckRecord, 'atMs'> {
  readonly at: string;
}

export function viewSource(source: WatchedSource, ids: SourceChangeIds, nowMs: number): SourceView {
  const { config, origin, addedAtMs, paused, health } = source;
  return {
    id: config.id,
    config,
    origin,
    addedAt: formatTime(addedAtMs),
    ...(paused !== undefined && { paused }),
    intervalSeconds: health.intervalMs / 1000,
    health: sourceStatus(source, ids, nowMs),
    ...(health.error !== undefined && { errorMessage: health.error.message }),
  };
}

export function viewCheck({ atMs, ...check }: CheckRecord): CheckView {
  return { at: formatTime(atMs), ...check };
}
