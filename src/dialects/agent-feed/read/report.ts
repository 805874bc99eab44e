import type { IngestReport } from './reader.ts';
import type { ReaderEvent } from './reader-event.ts';
import type { FeedMemory, PollMemory } from './reader-state.ts';

/** What one call learned about one feed. */
export interface Visited {
  readonly memory: FeedMemory;
  readonly polled: boolean;
  readonly applied: number;
  readonly skipped: number;
  /** Whether the feed was read completely just now, and whether the document differs from the one before. */
  readonly reading: 'none' | 'same' | 'other';
}

export function unasked(memory: FeedMemory): Visited {
  return { memory, polled: false, applied: 0, skipped: 0, reading: 'none' };
}

/** A feed that was never requested is trusted (AF-S1). */
export function newMemory(feedUrl: URL): FeedMemory {
  return { feedUrl: feedUrl.href, isTrusted: true, applied: 0, endpoints: [], poll: {} };
}

/** Whether what is known about a feed may still be acted on (AF-S3, AF-VS3). */
export function isConsulted({ isTrusted, suspended }: FeedMemory): boolean {
  return isTrusted && suspended === undefined;
}

/** Why the last poll was not complete, and until when there will be no other. */
export function problemOf({ problem, pausedUntilMs }: PollMemory): string | undefined {
  if (pausedUntilMs === undefined) return problem;
  const until = `The origin asked to be left alone until ${new Date(pausedUntilMs).toISOString()}.`;
  return problem === undefined ? until : `${problem} ${until}`;
}

export interface Told {
  readonly events?: readonly ReaderEvent[];
  readonly migratedFrom?: readonly string[];
  readonly problem?: string | undefined;
  readonly nowMs: number;
}

export function reportOf(visited: Visited, { events = [], migratedFrom = [], problem, nowMs }: Told): IngestReport {
  const { memory, polled, applied, skipped } = visited;
  const { feedUrl, isTrusted, feedStatus, specVersion, lastSeen, endpoints, poll, suspended, migratedTo } = memory;
  const { nextMs, pausedUntilMs = 0 } = poll;
  return {
    origin: new URL(feedUrl).origin,
    feedUrl,
    trust: isTrusted,
    feedStatus,
    specVersion: specVersion === undefined ? undefined : Number(specVersion),
    lastSeen,
    applied,
    skipped,
    endpoints: isConsulted(memory) ? endpoints : [],
    events,
    polled,
    nextPollMs: nextMs === undefined ? undefined : Math.max(nextMs, pausedUntilMs),
    pausedUntilMs: pausedUntilMs > nowMs ? pausedUntilMs : undefined,
    problem: problem ?? problemOf(poll),
    suspended,
    migratedTo: feedStatus === 'migrated' && !isTrusted ? migratedTo : undefined,
    migratedFrom,
  };
}
