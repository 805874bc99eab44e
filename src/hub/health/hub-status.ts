import { formatTime } from '../../codecs/primitives/time.ts';
import type { SourceStanding } from '../../dialects/shelf.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { type HealthSummary, summarize } from './health-report.ts';
import type { ProcessView } from './process-view.ts';
import { type SourceStatus, sourceStatus } from './source-status.ts';
import type { StorageStatus } from './storage-growth.ts';

/** A source as in `/state/health.json`, without its cursors. */
export interface ShownStatus extends Omit<SourceStatus, 'cursor' | 'prev_cursor'> {
  /** The first of its notes, if they may be shown. */
  readonly first_note?: string;
}

/** Whether anything is broken or quiet, and whether anybody looks. */
export interface HubStatus {
  readonly generated_at: string;
  /** Whether a hub is there to look at them. */
  readonly running: boolean;
  /** Whether a running hub can store what it finds; absent if no hub was asked. */
  readonly writable?: boolean;
  readonly summary: HealthSummary & {
    /** Quieter than their own rhythm. */
    readonly quiet: number;
    /** With pages or files that could not be read. */
    readonly unread: number;
    /** Due for more than ten minutes. */
    readonly overdue: number;
  };
  /** Since when the source is due that waits longest. One that is large may be read all that time. */
  readonly overdue_since?: string;
  /** Absent if it may not be shown. */
  readonly storage?: StorageStatus;
  /** The open alerts, newest first; absent if they may not be shown. */
  readonly alerts?: readonly ShownAlert[];
  /** For a hub of several processes: all of them. */
  readonly processes?: readonly ProcessView[];
  readonly sources: Readonly<Record<string, ShownStatus>>;
}

/** An alert that is open. */
export interface ShownAlert {
  readonly id: string;
  readonly kind: string;
  readonly severity: string;
  readonly subject: string;
  readonly summary: string;
  readonly remedy: string;
  readonly since: string;
}

export type Trouble = 'error' | 'degraded' | 'quiet';

/** From the mildest to the worst. */
export const TROUBLES: readonly Trouble[] = ['quiet', 'degraded', 'error'];

const OVERDUE_MS = 10 * 60_000;

interface Look {
  readonly nowMs: number;
  readonly running: boolean;
  readonly writable?: boolean;
}

/** As the store has them. */
export function statusOfSources(
  sources: readonly WatchedSource[],
  standings: ReadonlyMap<string, SourceStanding>,
  look: Look,
): HubStatus {
  const news = { lastChangeIdOf: () => undefined, standingOf: (id: string) => standings.get(id) };
  const shown = sources.map((source): [string, ShownStatus] => {
    const { cursor: _cursor, prev_cursor: _previous, error, ...status } = sourceStatus(source, news, look.nowMs);
    const message = source.health.error?.message;
    const [first] = source.health.notes ?? [];
    const words = {
      ...(first !== undefined && { first_note: first }),
      ...(error && { error: { ...error, ...(message && { message }) } }),
    };
    return [source.config.id, { ...status, ...words }];
  });
  return hubStatus(shown, look);
}

/** As a running hub shows them. */
export function hubStatus(sources: readonly (readonly [string, ShownStatus])[], look: Look): HubStatus {
  const { nowMs, running, writable } = look;
  const statuses = sources.map(([, status]) => status);
  const overdue = statuses.flatMap(({ next_check_at: next }) =>
    next !== undefined && nowMs - Date.parse(next) > OVERDUE_MS ? [Date.parse(next)] : [],
  );
  return {
    generated_at: formatTime(nowMs),
    running,
    ...(writable !== undefined && { writable }),
    summary: {
      ...summarize(statuses.map(({ status }) => status)),
      quiet: statuses.filter(({ quiet }) => quiet).length,
      unread: statuses.filter(hasUnread).length,
      overdue: overdue.length,
    },
    ...(overdue.length > 0 && { overdue_since: formatTime(overdue.reduce((one, other) => Math.min(one, other))) }),
    sources: Object.fromEntries(sources),
  };
}

/** The trouble of a source; undefined if there is none. A paused source has none, one that is read in part is degraded. */
export function troubleOf(shown: ShownStatus): Trouble | undefined {
  const { status, quiet } = shown;
  if (status === 'error' || status === 'degraded') return status;
  if (status === 'ok' && hasUnread(shown)) return 'degraded';
  return status === 'ok' && quiet ? 'quiet' : undefined;
}

export function hasUnread({ unread }: ShownStatus): boolean {
  return unread !== undefined && unread > 0;
}

/** Whether there is something to know of a source that is read. */
export function isNoted({ status, notes = 0 }: ShownStatus): boolean {
  return notes > 0 && (status === 'ok' || status === 'degraded');
}

/** Whether something is as bad as that, or worse. That nobody looks, or can write down what is found, is the worst. */
export function isAsBadAs({ running, writable = true, sources }: HubStatus, least: Trouble): boolean {
  const worst = TROUBLES.slice(TROUBLES.indexOf(least));
  if (!running || !writable) return true;
  return Object.values(sources).some((source) => worst.some((trouble) => trouble === troubleOf(source)));
}
