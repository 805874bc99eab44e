import { join } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import type { SharedWatch } from '../hub/cluster/shared-watch.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { summarize } from '../hub/health/health-report.ts';
import { statusWord } from '../hub/health/source-status.ts';
import type { JobWords, TellProgress } from '../hub/jobs/job-board.ts';
import type { WatchedSource } from '../hub/store/hub-store.ts';
import type { VisitOutcome } from '../hub/store/visit-outcome.ts';
import { sourceAsker } from '../hub/visit/source-asker.ts';
import { shortNotes } from '../hub/visit/source-reading.ts';
import { testSource } from '../hub/visit/test-source.ts';
import type { VisitPorts } from '../hub/visit/visit-ports.ts';
import { visitSource } from '../hub/visit/visit-source.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { reportEvent } from '../hub/watch/report-event.ts';
import { type RunningWatch, startWatch } from '../hub/watch/watch.ts';
import type { WatchEvent } from '../hub/watch/watch-event.ts';
import type { FinishedLook } from '../hub/watch/watch-visits.ts';
import { openAuditState } from '../io/files/audit-state.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { readSecret } from '../io/files/secret.ts';
import { randomFraction } from '../io/node/random-fraction.ts';
import { randomNonce } from '../io/node/random-token.ts';
import { alarm } from '../io/node/timer-alarm.ts';
import { wait } from '../io/node/timer-wait.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import type { HubParts } from './open-hub-parts.ts';

export interface WatchSourcesOptions {
  readonly config: HubConfig;
  /** The dialects that sources may use. */
  readonly dialects: readonly Dialect[];
  readonly logger: HubLogger;
  /** No source is asked before this resolves. */
  readonly mayBegin: Promise<void>;
  /** The addresses of this hub: feeds there are its own, and are not followed. */
  readonly ownAddresses?: () => readonly string[];
  /** The id of this hub among hubs that follow each other. */
  readonly hubId: string;
  /** Two looks closer together than this count as one moment. Default: 2 s. */
  readonly confirmMs?: number | undefined;
  /** The number of pages of each feed that are checked once a day, to see whether the feed tells the truth. Absent: none. */
  readonly honestyPages?: number | undefined;
  /** For a hub that runs in several processes: what connects this watch with theirs. */
  readonly shared?: SharedWatch | undefined;
  /** Whether the config names the sources. Default: true. */
  readonly isConfigured?: boolean;
  /** Called when a visit begins, before its first request. */
  readonly onVisit?: (id: string) => void;
  /** Called with every event, after it is logged. */
  readonly onEvent?: (event: WatchEvent) => void;
  /** Called with every finished check before it is reported. Returns by which factor the source may now be checked less often. */
  readonly restAfter?: (look: FinishedLook) => number;
  /** Remarks for a person about a source, in addition to its checks. */
  readonly notesOf?: (id: string) => readonly string[];
  /** Called with every source whose state may have changed. */
  readonly onSource?: (id: string) => void;
  /** The newest change that every served feed contains. Absent if no feed is served. */
  readonly feedSeq?: () => number;
}

type WatchParts = Pick<HubParts, 'store' | 'ways' | 'news' | 'metrics'> &
  Partial<Pick<HubParts, 'publicWays' | 'jobs'>>;

/** Watches the sources of the config and of the store, each with a visit of its kind. */
export async function watchSources(
  { store, ways, publicWays = ways, news, metrics, jobs }: WatchParts,
  options: WatchSourcesOptions,
): Promise<RunningWatch> {
  const { config, logger, mayBegin, onVisit, onEvent, onSource, feedSeq, restAfter, notesOf, shared } = options;
  const { concurrency, allowPrivate, sources } = config;
  const ports = visitPorts(store, options);
  let runningChecks = 0;
  const watch = await startWatch({
    store,
    ...shared,
    configured: options.isConfigured === false ? undefined : sources,
    visit: async (source, signal, { isAsked }) => {
      onVisit?.(source.config.id);
      await Promise.race([mayBegin, aborted(signal)]);
      runningChecks += 1;
      try {
        const asker = sourceAsker(source.config);
        const itsStore = shared && { store: shared.storeOf(source.config.id) };
        const way = source.owner === undefined ? ways : publicWays;
        const pauseOf = () => way.pauseOf(asker);
        const visit = (onProgress?: TellProgress) =>
          visitSource(source, { ...ports, ...itsStore, ...way.of(asker), pauseOf, signal, isAsked, onProgress });
        const outcome = await (jobs?.run(readingWords(source), visit) ?? visit());
        return withNotes(outcome, notesOf?.(source.config.id) ?? []);
      } finally {
        runningChecks -= 1;
      }
    },
    test: (source, signal) => testSource(source, { ...ports, ...ways.of(sourceAsker(source)), signal }),
    clearPauses: async (source) => {
      await ways.clearPauses(sourceAsker(source));
      if (publicWays !== ways) await publicWays.clearPauses(sourceAsker(source));
    },
    now: Date.now,
    alarm,
    random: randomFraction,
    concurrency,
    allowPrivate,
    restAfter,
    onEvent: (event) => {
      reportEvent(event, logger, metrics);
      if ('source' in event && typeof event.source === 'object') onSource?.(event.source.config.id);
      onEvent?.(event);
    },
  });
  metrics.watch(() => ({
    sources: summarize(watch.sources().map(statusWord)),
    logSeq: news.newest()?.seq ?? 0,
    feedSeq: Math.min(feedSeq?.() ?? 0, news.newest()?.seq ?? 0),
    storeWritable: watch.unwritable === undefined,
    dueLagSeconds: longestWaitMs(watch.sources(), Date.now()) / 1000,
    runningChecks,
  }));
  return watch;
}

function readingWords({ config, health }: WatchedSource): JobWords {
  const what = health.lastOkMs === undefined ? 'First reading' : 'Reading';
  return { what, source: config.id, unit: 'pages' };
}

function withNotes(outcome: VisitOutcome, notes: readonly string[]): VisitOutcome {
  return outcome.is !== 'read' || notes.length === 0
    ? outcome
    : { ...outcome, notes: shortNotes([...notes, ...outcome.notes]) };
}

/** What all visits share. */
function visitPorts(
  store: WatchParts['store'],
  { config, dialects, ownAddresses, hubId, confirmMs, honestyPages = 0 }: WatchSourcesOptions,
): Omit<VisitPorts, 'signal' | 'http' | 'client' | 'pages'> {
  return {
    store,
    gunzip,
    dialects,
    openFolder: createFileBuiltSite,
    now: Date.now,
    wait,
    alarm,
    ...(ownAddresses !== undefined && { ownAddresses }),
    hubId,
    confirmMs,
    readSecret,
    keepEvidence: (source, files) => openAuditState(join(config.data, 'audit'), source).keep(files),
    hints: { extensions: config.extensions, nonce: randomNonce },
    riskRules: config.risk.rules,
    ...(honestyPages > 0 && { honesty: { pages: honestyPages, newSeed: randomNonce, log: store } }),
  };
}

/** The longest time that a due source has been waiting. */
function longestWaitMs(sources: readonly WatchedSource[], nowMs: number): number {
  const waits = sources.filter(({ paused }) => paused === undefined).map(({ health }) => nowMs - health.dueAtMs);
  return waits.reduce((longest, wait) => Math.max(longest, wait), 0);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
