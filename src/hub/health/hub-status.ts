import { formatTime } from '../../codecs/primitives/time.ts';
import type { WatchedSource } from '../hub-store.ts';
import { type HealthSummary, summarize } from './health-report.ts';
import { type SourceStatus, sourceStatus } from './source-status.ts';

/** A source as in `/state/health.json`, without its cursors. */
export interface ShownStatus extends Omit<SourceStatus, 'cursor' | 'prev_cursor' | 'error'> {
  readonly error?: { readonly code: string; readonly http_status?: number; readonly message?: string };
}

/** Whether anything is broken or quiet, and whether anybody looks. */
export interface HubStatus {
  readonly generated_at: string;
  /** Whether a hub is there to look at them. */
  readonly running: boolean;
  readonly summary: HealthSummary & {
    /** Quieter than their own rhythm. */
    readonly quiet: number;
    /** Due for more than ten minutes. */
    readonly overdue: number;
  };
  /** Since when the source is due that waits longest. One that is large may be read all that time. */
  readonly overdue_since?: string;
  readonly sources: Readonly<Record<string, ShownStatus>>;
}

export type Trouble = 'error' | 'degraded' | 'quiet';

/** From the mildest to the worst. */
export const TROUBLES: readonly Trouble[] = ['quiet', 'degraded', 'error'];

const OVERDUE_MS = 10 * 60_000;

interface Look {
  readonly nowMs: number;
  readonly running: boolean;
}

/** As the store has them. */
export function statusOfSources(sources: readonly WatchedSource[], look: Look): HubStatus {
  const shown = sources.map((source): [string, ShownStatus] => {
    const { cursor: _cursor, prev_cursor: _previous, error, ...status } = sourceStatus(source, NO_IDS, look.nowMs);
    const message = source.health.error?.message;
    return [source.config.id, { ...status, ...(error && { error: { ...error, ...(message && { message }) } }) }];
  });
  return hubStatus(shown, look);
}

const NO_IDS = { lastChangeIdOf: () => undefined };

/** As a running hub shows them. */
export function hubStatus(sources: readonly (readonly [string, ShownStatus])[], { nowMs, running }: Look): HubStatus {
  const statuses = sources.map(([, status]) => status);
  const overdue = statuses.flatMap(({ next_check_at: next }) =>
    next !== undefined && nowMs - Date.parse(next) > OVERDUE_MS ? [Date.parse(next)] : [],
  );
  return {
    generated_at: formatTime(nowMs),
    running,
    summary: {
      ...summarize(statuses.map(({ status }) => status)),
      quiet: statuses.filter(({ quiet }) => quiet).length,
      overdue: overdue.length,
    },
    ...(overdue.length > 0 && { overdue_since: formatTime(overdue.reduce((one, other) => Math.min(one, other))) }),
    sources: Object.fromEntries(sources),
  };
}

/** What ails a source; undefined when nothing does. One that is paused ails of nothing. */
export function troubleOf({ status, quiet }: ShownStatus): Trouble | undefined {
  if (status === 'error' || status === 'degraded') return status;
  return status === 'ok' && quiet ? 'quiet' : undefined;
}

/** Whether something is as bad as that, or worse. That nobody looks is the worst: nothing is known then. */
export function isAsBadAs({ running, sources }: HubStatus, least: Trouble): boolean {
  const worst = TROUBLES.slice(TROUBLES.indexOf(least));
  return !running || Object.values(sources).some((source) => worst.some((trouble) => trouble === troubleOf(source)));
}
