import { join } from 'node:path';
import { tokenMatches } from '../hub/admin-token.ts';
import { summarize } from '../hub/health/health-report.ts';
import { statusWord } from '../hub/health/source-status.ts';
import type { HubConfig } from '../hub/hub-config.ts';
import type { WatchedSource } from '../hub/hub-store.ts';
import type { HubLogger } from '../hub/logger.ts';
import { createNews } from '../hub/news.ts';
import { reportEvent } from '../hub/report-event.ts';
import { testSource } from '../hub/visit/test-source.ts';
import type { VisitPorts } from '../hub/visit/visit-ports.ts';
import { visitSource } from '../hub/visit/visit-source.ts';
import { startWatch } from '../hub/watch.ts';
import { startFastifyServer } from '../io/fastify-server.ts';
import { createFileBuiltSite } from '../io/file-built-site.ts';
import { openFileFeedShelf } from '../io/file-feed-shelf.ts';
import { packageVersion } from '../io/package-version.ts';
import { createPromMetrics } from '../io/prom-metrics.ts';
import { randomFraction } from '../io/random-fraction.ts';
import { randomNonce } from '../io/random-token.ts';
import { openSqliteHubStore } from '../io/sqlite-hub-store.ts';
import { alarm, repeat } from '../io/timer-alarm.ts';
import { gunzip } from '../io/zlib-gunzip.ts';
import { makeHints } from '../produce/make-hints.ts';
import { Endings } from './endings.ts';
import { createDocumentReader, readFolderPage } from './hub-documents.ts';
import { hubRoutes } from './hub-routes.ts';
import { settleToken } from './hub-token.ts';
import { openDocumentCache } from './open-document-cache.ts';
import { openPolite } from './open-http.ts';

export interface RunHubOptions {
  /** The token of the hub's admin. Absent: the one of an earlier start, else a new one. */
  readonly token?: string;
  readonly logger: HubLogger;
  /** Whether every request is logged, not only those that fail. */
  readonly logRequests?: boolean;
}

/** A hub that runs: it watches its sources and answers readers. */
export interface RunningHub extends AsyncDisposable {
  /** Where it answers, with a final slash. */
  readonly url: string;
  /** The admin's token, when this start has made it. Only its hash is kept. */
  readonly newToken?: string;
  /** How many sources are watched now, paused ones included. */
  sources(): number;
  /** Ends within 10 s: running checks are finished or given up, and nothing is lost. */
  close(): Promise<void>;
}

const RECENT_CHANGES = 50;
const GRACE_MS = 5000;
const MEND_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 3600_000;
const DAY_MS = 24 * 3600_000;

/** Opens the data folder, listens, then watches. */
export async function runHub(config: HubConfig, options: RunHubOptions): Promise<RunningHub> {
  const parts = new Endings();
  try {
    return await start(config, options, parts);
  } catch (error) {
    await parts.run();
    throw error;
  }
}

async function start(
  config: HubConfig,
  { token, logger, logRequests = false }: RunHubOptions,
  parts: Endings,
): Promise<RunningHub> {
  const store = parts.use(await openSqliteHubStore({ folder: config.data }));
  const settled = await settleToken(store, token);
  const cacheDir = join(config.data, 'cache');
  const ways = parts.use(await openPolite({ ...config, cacheDir, isSoleUser: true }));
  const say = (message: string) => logger.warn({}, message);
  const { cache } = await openDocumentCache(cacheDir, say);
  parts.use(cache);
  const shelf = parts.use(
    await openFileFeedShelf({ folder: join(config.data, 'feeds'), readChanges: (after) => store.changes({ after }) }),
  );
  const news = createNews({
    recent: await store.recentChanges(RECENT_CHANGES),
    lastIdAtStart: (source) => shelf.lastIdOf(source),
    kept: RECENT_CHANGES,
  });
  const metrics = createPromMetrics();
  store.onChanges((changes) => {
    news.add(changes);
    for (const { action } of changes) metrics.changed(action, 1);
    void shelf.add(changes);
  });

  const opened = openGate();
  let runningChecks = 0;
  const { http, client, pages } = ways;
  const ports: Omit<VisitPorts, 'signal'> = {
    store,
    http,
    client,
    pages,
    gunzip,
    openFolder: createFileBuiltSite,
    now: Date.now,
    hintsOf: (change, page) => makeHints(change, page, { extensions: config.extensions, nonce: randomNonce }),
  };
  const watch = await startWatch({
    store,
    configured: config.sources,
    // Nothing is asked before the hub listens: it may not be able to.
    visit: async (source, signal) => {
      await Promise.race([opened.passed, aborted(signal)]);
      runningChecks += 1;
      try {
        return await visitSource(source, { ...ports, signal });
      } finally {
        runningChecks -= 1;
      }
    },
    test: (source, signal) => testSource(source, { ...ports, signal }),
    now: Date.now,
    alarm,
    random: randomFraction,
    concurrency: config.concurrency,
    allowPrivate: config.allowPrivate,
    onEvent: (event) => reportEvent(event, logger, metrics),
  });
  parts.add(() => watch.stop());
  metrics.watch(() => ({
    sources: summarize(watch.sources().map(statusWord)),
    logSeq: news.newest()?.seq ?? 0,
    feedSeq: shelf.seq,
    storeWritable: watch.unwritable === undefined,
    dueLagSeconds: longestWaitMs(watch.sources(), Date.now()) / 1000,
    runningChecks,
  }));

  let listeningAt = '';
  const server = await startFastifyServer({
    ...config,
    routes: hubRoutes({
      config,
      version: packageVersion(),
      store,
      shelf,
      news,
      watch,
      readDocument: createDocumentReader({ ways, cache, botUrl: config.botUrl, onDiagnostic: say }),
      readFolderPage,
      renderMetrics: () => metrics.render(),
      baseUrl: () => config.baseUrl ?? listeningAt,
    }),
    isAdmin: (authorization) => tokenMatches(settled.hash, authorization),
    logger,
    logRequests,
    metrics,
  });
  listeningAt = server.url;
  // Side by side, so that both together end in time.
  parts.add(() => Promise.all([server.close(GRACE_MS), watch.stop()]));
  opened.open();
  parts.add(repeat(MEND_EVERY_MS, () => shelf.mend()));
  parts.add(repeat(SWEEP_EVERY_MS, () => sweep(Date.now() - config.snapshotDays * DAY_MS)));

  async function sweep(beforeMs: number): Promise<void> {
    if (watch.unwritable === undefined) await store.dropSnapshots(beforeMs);
  }

  return {
    url: server.url,
    ...(settled.made !== undefined && { newToken: settled.made }),
    sources: () => watch.sources().length,
    close: () => parts.run(),
    [Symbol.asyncDispose]: () => parts.run(),
  };
}

/** Of the sources that are due, how long the one that waits longest does. */
function longestWaitMs(sources: readonly WatchedSource[], nowMs: number): number {
  const waits = sources.filter(({ paused }) => paused === undefined).map(({ health }) => nowMs - health.dueAtMs);
  return waits.reduce((longest, wait) => Math.max(longest, wait), 0);
}

/** What waits for `passed` goes on once it is opened. */
function openGate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
