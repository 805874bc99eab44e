import { TidingsError } from '../errors/tidings-error.ts';
import { tokenMatches } from '../hub/admin-token.ts';
import type { HubConfig } from '../hub/hub-config.ts';
import type { HubLogger } from '../hub/logger.ts';
import { startFastifyServer } from '../io/fastify-server.ts';
import { packageVersion } from '../io/package-version.ts';
import { repeat } from '../io/timer-alarm.ts';
import { Endings } from './endings.ts';
import { createDocumentReader, readFolderPage } from './hub-documents.ts';
import { hubRoutes } from './hub-routes.ts';
import { settleToken } from './hub-token.ts';
import { type HubParts, openHubParts } from './open-hub-parts.ts';
import { watchSources } from './watch-sources.ts';

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

const GRACE_MS = 5000;
const MEND_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 3600_000;
const DAY_MS = 24 * 3600_000;

/** Opens the data folder, listens, then watches. */
export async function runHub(config: HubConfig, options: RunHubOptions): Promise<RunningHub> {
  const endings = new Endings();
  try {
    return await start(config, options, endings);
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function start(
  config: HubConfig,
  { token, logger, logRequests = false }: RunHubOptions,
  endings: Endings,
): Promise<RunningHub> {
  const say = (message: string) => logger.warn({}, message);
  const parts = await openHubParts(config, endings, say);
  const { store, ways, cache, shelf, metrics } = parts;
  const settled = await settleToken(store, token);

  // Nothing is asked before the hub listens: it may not be able to.
  let begin = () => {};
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const watch = await watchSources(parts, { config, logger, mayBegin });
  endings.add(() => watch.stop());

  let listeningAt = '';
  const server = await startFastifyServer({
    ...config,
    routes: hubRoutes({
      ...parts,
      config,
      version: packageVersion(),
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
  endings.add(() => Promise.all([server.close(GRACE_MS), watch.stop()]));
  begin();
  endings.add(repeat(MEND_EVERY_MS, () => shelf.mend()));
  endings.add(repeat(SWEEP_EVERY_MS, () => dropOldSnapshots(parts, config, logger)));

  return {
    url: server.url,
    ...(settled.made !== undefined && { newToken: settled.made }),
    sources: () => watch.sources().length,
    close: () => endings.run(),
    [Symbol.asyncDispose]: () => endings.run(),
  };
}

/** A disk that does not take it now may take it the next time. */
async function dropOldSnapshots({ store }: HubParts, { snapshotDays }: HubConfig, logger: HubLogger): Promise<void> {
  try {
    const dropped = await store.dropSnapshots(Date.now() - snapshotDays * DAY_MS);
    logger.debug({ dropped }, 'Old texts of pages were dropped');
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    logger.warn({ error }, 'Old texts of pages could not be dropped');
  }
}
