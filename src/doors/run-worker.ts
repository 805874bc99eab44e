import { DIALECTS } from '../dialects/registry.ts';
import { LogUnavailableError } from '../errors/log-error.ts';
import { PassingTrouble } from '../hub/cluster/passing-trouble.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { ClusterView } from '../hub/health/process-view.ts';
import { hubIdentity } from '../hub/hub-identity.ts';
import { metricsRoutes } from '../hub/routes/metrics-routes.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { startFastifyServer } from '../io/fastify/server.ts';
import { randomNonce } from '../io/node/random-token.ts';
import { wait } from '../io/node/timer-wait.ts';
import { Endings } from './endings.ts';
import { joinCluster } from './join-cluster.ts';
import { openHubParts } from './open-hub-parts.ts';
import { watchSources } from './watch-sources.ts';

export interface RunWorkerOptions {
  /** The database of the hub that it works for. */
  readonly database: string;
  /** The port of its metrics, on the host of the settings. Absent: it does not listen. */
  readonly metricsPort?: number | undefined;
  readonly logger: HubLogger;
  readonly signal: AbortSignal;
}

/** A process that visits sources for a hub, without serving readers. */
export interface RunningWorker extends AsyncDisposable {
  /** The address of its metrics, with a final slash. */
  readonly metricsUrl?: string;
  sources(): number;
  view(): ClusterView;
  /** Resolves to the reason why it cannot continue. */
  readonly ended: Promise<unknown>;
}

const GRACE_MS = 2000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;
const HONESTY_PAGES = 5;

/** Waits for the database as long as necessary. Undefined if it was stopped before it could start. */
export async function runWorker(config: HubConfig, options: RunWorkerOptions): Promise<RunningWorker | undefined> {
  const { logger, signal } = options;
  const onTrouble = (error: unknown) => logger.warn({ error }, 'Waits for the database');
  const trouble = new PassingTrouble({ firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, onTrouble });
  for (;;) {
    const endings = new Endings();
    try {
      return await start(config, options, endings);
    } catch (error) {
      await endings.run();
      if (signal.aborted) return undefined;
      if (!(error instanceof LogUnavailableError)) throw error;
      trouble.met(error);
      await wait(trouble.pauseMs, signal);
      if (signal.aborted) return undefined;
    }
  }
}

async function start(config: HubConfig, options: RunWorkerOptions, endings: Endings): Promise<RunningWorker> {
  const { database: url, metricsPort, logger, signal } = options;
  const { data: folder, excerpts, concurrency, leaseSeconds } = config;
  let end = (_error: unknown) => {};
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  const cluster = await joinCluster(
    { url, kind: 'worker', folder, excerpts, concurrency, leaseSeconds, logger, onEnd: end },
    endings,
  );
  await Promise.race([cluster.store.replica.current(), ended.then(throwError), aborted(signal)]);
  signal.throwIfAborted();
  const onProblem = (message: string) => logger.warn({}, message);
  const parts = await openHubParts(config, endings, { onProblem, cluster });
  const { id: hubId } = await hubIdentity(parts.store, randomNonce);
  const watch = await watchSources(parts, {
    config,
    dialects: DIALECTS,
    logger,
    mayBegin: Promise.resolve(),
    hubId,
    shared: cluster.shared,
    isConfigured: false,
    honestyPages: config.honestyPages ?? HONESTY_PAGES,
    ownAddresses: () => (config.baseUrl === undefined ? [] : [config.baseUrl]),
  });
  endings.add(() => watch.stop());
  const metricsUrl = await serveMetrics(config, metricsPort, { logger, endings, metrics: parts.metrics });
  return {
    ...(metricsUrl !== undefined && { metricsUrl }),
    sources: () => watch.sources().length,
    view: () => cluster.presence.view(),
    ended,
    [Symbol.asyncDispose]: () => endings.run(),
  };
}

interface MetricsParts {
  readonly logger: HubLogger;
  readonly endings: Endings;
  readonly metrics: Awaited<ReturnType<typeof openHubParts>>['metrics'];
}

async function serveMetrics(
  { host, trustProxies }: HubConfig,
  port: number | undefined,
  { logger, endings, metrics }: MetricsParts,
): Promise<string | undefined> {
  if (port === undefined) return undefined;
  const routes = metricsRoutes(() => metrics.render());
  const server = await startFastifyServer({ routes, host, port, trustProxies, logger, metrics, isAdmin: () => false });
  endings.add(() => server.close(GRACE_MS));
  return server.url;
}

function throwError(error: unknown): never {
  throw error;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
