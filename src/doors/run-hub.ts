import type { OpenAtomShelf } from '../dialects/atom/shelf/atom-keeper.ts';
import type { OpenRunShelf } from '../dialects/diffdelta/shelf/run-keeper.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { tokenMatches } from '../hub/http/admin-token.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { startFastifyServer } from '../io/fastify/server.ts';
import { createFileSurfaceFiles } from '../io/files/surface-files.ts';
import { packageVersion } from '../io/node/package-version.ts';
import { repeat } from '../io/node/timer-alarm.ts';
import { Endings } from './endings.ts';
import { createDocumentReader, readFolderPage } from './hub-documents.ts';
import { hubRoutes } from './hub-routes.ts';
import { adminToken, ensureTokenIsAcceptable } from './hub-token.ts';
import { keepAtom } from './keep-atom.ts';
import { keepRuns } from './keep-runs.ts';
import { openHubParts } from './open-hub-parts.ts';
import { openPayments, type StripeSecrets } from './open-payments.ts';
import { watchSources } from './watch-sources.ts';

export interface RunHubOptions {
  /** The token of the hub's admin. Absent: the one of an earlier start, else a new one. */
  readonly token?: string;
  /** Shows the token that this start has made, before its hash is stored. */
  readonly onNewToken?: (token: string) => void;
  readonly logger: HubLogger;
  /** Whether every request is logged, not only those that fail. */
  readonly logRequests?: boolean;
  /** Where keys are sold with Stripe. */
  readonly stripe?: StripeSecrets;
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
  ensureTokenIsAcceptable(options.token);
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
  { token, onNewToken, logger, logRequests = false, stripe = {} }: RunHubOptions,
  endings: Endings,
): Promise<RunningHub> {
  const say = (message: string) => logger.warn({}, message);
  const parts = await openHubParts(config, endings, say);
  const { store, ways, cache, shelf, metrics } = parts;
  const payments = await openPayments(config, stripe, endings);
  const admin = await adminToken(store, token);

  // Nothing is asked before the hub listens: it may not be able to.
  let begin = () => {};
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let listeningAt: string | undefined;
  const ownAddresses = () => [config.baseUrl, listeningAt].filter((address) => address !== undefined);
  const onBug = (error: unknown) => logger.error({ error }, 'A fault of Tidings itself; please report it');
  // How files are made depends on how sources stand, and the other way round.
  let opened: { readonly runs: OpenRunShelf; readonly atom: OpenAtomShelf } | undefined;
  const watch = await watchSources(parts, {
    config,
    logger,
    mayBegin,
    ownAddresses,
    onSource: (id) => void opened?.runs.restate([id]).catch(onBug),
    feedSeq: () => Math.min(shelf.seq, opened?.runs.seq ?? 0, opened?.atom.seq ?? 0),
  });
  endings.add(() => watch.stop());
  const runs = endings.use(await keepRuns(parts, watch, { config, onBug }));
  const atom = endings.use(await keepAtom(parts, watch, { onBug }));
  opened = { runs, atom };

  const { host, port, trustProxies } = config;
  const server = await startFastifyServer({
    host,
    port,
    trustProxies,
    routes: hubRoutes({
      ...parts,
      config,
      version: packageVersion(),
      watch,
      runs,
      atom,
      payments,
      readDocument: createDocumentReader({ ways, cache, botUrl: config.botUrl, onDiagnostic: say }),
      readFolderPage,
      surface:
        config.surface &&
        createFileSurfaceFiles(config.surface.dir, {
          onTrouble: (path, reason) => logger.error({ path, reason }, 'A file of the surface cannot be served'),
        }),
      onRetrust: (source, { feedUrl }) => logger.warn({ source, feedUrl }, 'An operator trusts the feed again'),
      renderMetrics: () => metrics.render(),
      baseUrl: () => config.baseUrl ?? listeningAt ?? '',
    }),
    isAdmin: (authorization) => tokenMatches(admin.hash, authorization),
    logger,
    logRequests,
    metrics,
  });
  listeningAt = server.url;
  // Side by side, so that both together end in time.
  endings.add(() => Promise.all([server.close(GRACE_MS), watch.stop()]));
  if (admin.made !== undefined) onNewToken?.(admin.made);
  await tolerating('The token could not be stored; it counts until the hub ends', logger, () => admin.keep());
  begin();
  endings.add(
    repeat(MEND_EVERY_MS, async () => {
      await shelf.mend();
      await runs.mend().catch(onBug);
      await atom.mend().catch(onBug);
      if (runs.trouble !== undefined) logger.error({ reason: runs.trouble }, 'DiffDelta files lag behind the log');
      if (atom.trouble !== undefined) logger.error({ reason: atom.trouble }, 'Atom feeds lag behind the log');
    }),
  );
  const sweep = () => store.dropSnapshots(Date.now() - config.snapshotDays * DAY_MS);
  endings.add(repeat(SWEEP_EVERY_MS, () => tolerating('Old texts of pages could not be dropped', logger, sweep)));

  return {
    url: server.url,
    ...(admin.made !== undefined && { newToken: admin.made }),
    sources: () => watch.sources().length,
    close: () => endings.run(),
    [Symbol.asyncDispose]: () => endings.run(),
  };
}

/** A disk that does not take it now must not end the hub. */
async function tolerating(trouble: string, logger: HubLogger, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    logger.warn({ error }, trouble);
  }
}
