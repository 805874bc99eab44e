import { join } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { withBotUrl } from '../hub/config/bot-url.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { tokenMatches } from '../hub/http/admin-token.ts';
import { ownHosts } from '../hub/http/own-hosts.ts';
import { createSweeper } from '../hub/retention/sweep.ts';
import { MCP_PATH } from '../hub/routes/mcp-routes.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { isPrivateName } from '../io/dns/private-host.ts';
import { type ServerOptions, startFastifyServer } from '../io/fastify/server.ts';
import { openLogArchives } from '../io/files/log-archives.ts';
import { packageVersion } from '../io/node/package-version.ts';
// Large: loaded with the hub, not in the middle of a start that has changes to catch up with.
import '../io/undici/http-client.ts';
import { othersFirst } from '../log/others-first.ts';
import { Endings } from './endings.ts';
import { repeatChores, settleOwned } from './hub-chores.ts';
import { createDocumentReader, readFolderPage } from './hub-documents.ts';
import { hubRoutes, sourceDecoder } from './hub-routes.ts';
import { openSelfService } from './hub-self-service.ts';
import { hubSignIn } from './hub-sign-in.ts';
import { recordRetention } from './hub-storage.ts';
import { type AdminToken, ensureTokenIsAcceptable } from './hub-token.ts';
import { joinWhereShared } from './join-as-server.ts';
import { ARCHIVE_FOLDER } from './open-cluster.ts';
import { type HubData, openHubData } from './open-hub-data.ts';
import type { OpenPartsOptions } from './open-hub-parts.ts';
import type { StripeSecrets } from './open-payments.ts';
import { pageSearch } from './page-search.ts';
import type { PushPart } from './push-part.ts';
import { retrustFeed } from './retrust-feed.ts';
import { tolerating } from './tolerating.ts';
import { watchAndShelve } from './watch-and-shelve.ts';

export interface RunHubOptions extends Omit<OpenPartsOptions, 'onProblem'> {
  /** The token of the hub's admin. Absent: the one of an earlier start, or a new one. */
  readonly token?: string;
  /** Called with a token that this start has made, before its hash is stored. */
  readonly onNewToken?: (token: string) => void;
  readonly logger: HubLogger;
  /** Whether every request is logged, not only failed ones. */
  readonly logRequests?: boolean;
  /** For keys that are sold with Stripe. */
  readonly stripe?: StripeSecrets;
  /** The client secret of this hub at the OpenID provider of the settings. */
  readonly oidcSecret?: string | undefined;
  /** The dialects that it reads and serves. Default: all that Tidings supports. */
  readonly dialects?: readonly Dialect[];
  /** For a hub that runs in several processes: the work that this one leaves to others. */
  readonly leaves?: { readonly visits?: boolean; readonly projections?: boolean };
  /** Ends the start, which then fails with the reason of the signal. A running hub is ended with `close`. */
  readonly signal?: AbortSignal;
}

/** A running hub: it watches its sources and answers readers. */
export interface RunningHub extends AsyncDisposable {
  /** The address of the hub, with a final slash. */
  readonly url: string;
  /** The admin's token, if this start has made it. Only its hash is stored. */
  readonly newToken?: string;
  /** Resolves to the reason why it cannot continue: its copy of the hub differs from that of the other processes. */
  readonly ended: Promise<unknown>;
  /** The number of sources that are watched now, including paused ones. */
  sources(): number;
  /** Ends within 10 s: running checks are finished or aborted, and nothing is lost. */
  close(): Promise<void>;
}

const GRACE_MS = 5000;

const NO_BOT_URL =
  'Requests name no page about the crawler: set "baseUrl" to an address on the public web, whose /bot is such a page, or "botUrl" to one of your own';

/** Opens the data folder, listens, then watches. */
export async function runHub(config: HubConfig, options: RunHubOptions): Promise<RunningHub> {
  ensureTokenIsAcceptable(options.token);
  const endings = new Endings();
  const stop = new AbortController();
  const { signal } = options;
  const onStop = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onStop, { once: true });
  if (signal?.aborted) onStop();
  try {
    const named = withBotUrl(config, isPrivateName);
    if (named.botUrl === undefined) options.logger.warn({}, NO_BOT_URL);
    return await start(named, { ...options, signal: stop.signal }, endings);
  } catch (error) {
    await endings.run();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onStop);
  }
}

type StartOptions = RunHubOptions & { readonly signal: AbortSignal };

async function start(config: HubConfig, options: StartOptions, endings: Endings): Promise<RunningHub> {
  const { signal: stopping, logger, logRequests = false, dialects = DIALECTS } = options;
  const onBug = (error: unknown) => logger.error({ error }, 'A fault of Tidings itself; please report it');
  const { cluster, projector, ended } = await joinWhereShared(config, { ...options, onBug }, endings);
  const opened = await openHubData(config, { ...options, dialects, cluster }, endings);
  const { parts, storage, payments, admin, hubId } = opened;
  stopping.throwIfAborted();
  let listeningAt: string | undefined;
  const baseUrl = () => config.baseUrl ?? listeningAt ?? '';
  const watching = await watchAndShelve(parts, {
    projector,
    config,
    dialects,
    storage,
    logger,
    endings,
    stopping,
    baseUrl,
    hubId,
    adminHash: admin.hash,
    ownAddresses: () => [config.baseUrl, listeningAt].filter((address) => address !== undefined),
    onBug,
  });
  const { watch, shelves, mcp, push, begin } = watching;
  stopping.throwIfAborted();
  const sweeper = createSweeper({ ...parts, shelves, archives: archivesOf(config), now: Date.now });
  const decodeSource = sourceDecoder(config, dialects);
  const signIn = await hubSignIn({ ...options, ...parts, config, adminHash: admin.hash, hubId, baseUrl, endings });
  const routes = hubRoutes({
    ...parts,
    ...watching,
    selfService: await openSelfService({ ...parts, ...signIn, config, watch, hubId, baseUrl, logger, decodeSource }),
    config,
    dialects,
    sweeper,
    payments,
    signIn,
    ...routePorts(parts, config, logger),
    ...servicePorts(mcp, push),
    baseUrl,
  });
  const { metrics } = parts;
  const server = await startServer(routes, { metrics, config, adminHash: admin.hash, logger, logRequests, hubId });
  listeningAt = server.url;
  // In parallel, so that all of them end in time.
  endings.add(() => Promise.all([mcp.close(), push.close(), server.close(GRACE_MS), watch.stop()]));
  await writeDown(admin, parts, config, options);
  begin();
  settleOwned({ watch, keys: parts.keys, isSelfServiceOn: config.selfService.enabled, logger, onBug });
  repeatChores({ ...parts, ...config, sweeper, shelves, projector, logger, endings, onBug });

  return {
    url: server.url,
    ...(admin.made !== undefined && { newToken: admin.made }),
    ended,
    sources: () => watch.sources().length,
    close: () => endings.run(),
    [Symbol.asyncDispose]: () => endings.run(),
  };
}

/** Stores what a start has decided, once the hub listens. */
async function writeDown(
  admin: AdminToken,
  { store }: HubData,
  { retention }: HubConfig,
  { logger, onNewToken }: StartOptions,
): Promise<void> {
  if (admin.made !== undefined) onNewToken?.(admin.made);
  await tolerating('The token could not be stored; it counts until the hub ends', logger, () => admin.keep());
  await tolerating('What is kept could not be written down', logger, () => recordRetention(retention, store));
}

/** What routes and pages need from the push channels. */
function servicePorts(mcp: Pick<PushPart, 'routes'>, push: PushPart) {
  return {
    services: [...mcp.routes, ...push.routes],
    sights: push.sights ?? {},
    webSubOf: (id: string) => push.webSubOf?.(id),
  };
}

/** What routes need beyond the data folder. */
function routePorts({ store, ways, cache, metrics, pageTexts }: HubData, { botUrl }: HubConfig, logger: HubLogger) {
  const onDiagnostic = (message: string) => logger.warn({}, message);
  return {
    version: packageVersion(),
    searchPages: pageSearch(pageTexts),
    readDocument: createDocumentReader({ ways, cache, botUrl, onDiagnostic }),
    readFolderPage,
    retrust: retrustFeed(store),
    onRetrust: (source: string, { feedUrl }: { readonly feedUrl: string }) =>
      logger.warn({ source, feedUrl }, 'An operator trusts the feed again'),
    renderMetrics: () => metrics.render(),
  };
}

function archivesOf({ data }: HubConfig) {
  return openLogArchives(join(data, ARCHIVE_FOLDER));
}

interface ServerParts extends Pick<ServerOptions, 'logger' | 'logRequests' | 'metrics' | 'hubId'> {
  readonly config: HubConfig;
  readonly adminHash: string;
}

async function startServer(routes: ServerOptions['routes'], { config, adminHash, ...rest }: ServerParts) {
  await othersFirst();
  const { host, port, trustProxies, connectionsPerClient, streams } = config;
  const limits = { streams: streams.most, ...(connectionsPerClient !== undefined && { connectionsPerClient }) };
  const isAdmin = (authorization: string) => tokenMatches(adminHash, authorization);
  return await startFastifyServer({
    ...rest,
    host,
    port,
    trustProxies,
    limits,
    hosts: ownHosts(config),
    guardedPaths: [MCP_PATH],
    routes,
    isAdmin,
  });
}
