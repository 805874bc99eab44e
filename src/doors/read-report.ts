import { formatTime } from '../codecs/primitives/time.ts';
import { type ReadEndpoint, readEndpoint } from '../dialects/agent-feed/read/read-endpoint.ts';
import type { IngestReport } from '../dialects/agent-feed/read/reader.ts';
import type { ReaderEvent } from '../dialects/agent-feed/read/reader-event.ts';

export { type ReadEndpoint, readEndpoint };

/** What is known of an origin, as plain JSON. A reader returns it, and `tidings read --json` prints it. */
export interface ReadReport {
  readonly origin: string;
  readonly trust: boolean;
  /** Null before anything was read, like the next two. */
  readonly feedStatus: string | null;
  readonly specVersion: number | null;
  readonly lastSeen: string | null;
  /** How many entries this call applied, and how many it already knew or skipped. */
  readonly applied: number;
  readonly skipped: number;
  /** Empty if the origin is not trusted, or if its feed cannot be verified. */
  readonly endpoints: readonly ReadEndpoint[];
  readonly events: readonly ReaderEvent[];
  /** Whether this call made a request to the origin. */
  readonly polled: boolean;
  readonly nextPollAt: string | null;
  /** The origin asked for a pause until then. */
  readonly pausedUntil?: string;
  /** Why the last poll was incomplete. The report is from before it. */
  readonly problem?: string;
  /** Why the feed is not used for now, although it was not terminated. */
  readonly suspended?: string;
  /** Where the feed says it moved to, if this reader did not follow. */
  readonly migratedTo?: string;
  /** The feeds that migrated to this one. */
  readonly migratedFrom?: readonly string[];
}

export function readReport(report: IngestReport): ReadReport {
  const { feedStatus, specVersion, lastSeen, nextPollMs, pausedUntilMs } = report;
  const { problem, suspended, migratedTo, migratedFrom } = report;
  return {
    origin: report.origin,
    trust: report.trust,
    feedStatus: feedStatus ?? null,
    specVersion: specVersion ?? null,
    lastSeen: lastSeen ?? null,
    applied: report.applied,
    skipped: report.skipped,
    endpoints: report.endpoints.map(readEndpoint),
    events: report.events,
    polled: report.polled,
    nextPollAt: nextPollMs === undefined ? null : formatTime(nextPollMs),
    ...(pausedUntilMs !== undefined && { pausedUntil: formatTime(pausedUntilMs) }),
    ...(problem !== undefined && { problem }),
    ...(suspended !== undefined && { suspended }),
    ...(migratedTo !== undefined && { migratedTo }),
    ...(migratedFrom.length > 0 && { migratedFrom }),
  };
}
