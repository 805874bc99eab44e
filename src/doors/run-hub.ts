import { join } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { ShelfStorage } from '../dialects/shelf-storage.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { LogCatalogue } from '../hub/catalogue/log-catalogue.ts';
import { withBotUrl } from '../hub/config/bot-url.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { Retention } from '../hub/config/retention.ts';
import { tokenMatches } from '../hub/http/admin-token.ts';
import { ownHosts } from '../hub/http/own-hosts.ts';
import { hubIdentity } from '../hub/hub-identity.ts';
import { settleOwnedSources } from '../hub/keys/settle-sources.ts';
import { createSweeper, type Sweeper } from '../hub/retention/sweep.ts';
import { startSweeping } from '../hub/retention/sweep-rhythm.ts';
import { MCP_PATH } from '../hub/routes/mcp-routes.ts';
import type { HubShelves } from '../hub/shelves/hub-shelves.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { RunningWatch } from '../hub/watch/watch.ts';
import { isPrivateName } from '../io/dns/private-host.ts';
import { type ServerOptions, startFastifyServer } from '../io/fastify/server.ts';
import { openLogArchives } from '../io/files/log-archives.ts';
import { packageVersion } from '../io/node/package-version.ts';
import { randomFraction } from '../io/node/random-fraction.ts';
import { randomNonce } from '../io/node/random-token.ts';
import { alarm, repeat } from '../io/node/timer-alarm.ts';
// Is large: it is loaded with the hub, not in the middle of a start that has changes to catch up with.
import '../io/undici/http-client.ts';
import { othersFirst } from '../log/others-first.ts';
import { Endings } from './endings.ts';
import { createDocumentReader, readFolderPage } from './hub-documents.ts';
import { hubMcp } from './hub-mcp.ts';
import { hubPush } from './hub-push.ts';
import { doubtReporter, lossReporter } from './hub-reporters.ts';
import { hubRoutes, sourceDecoder } from './hub-routes.ts';
import { openSelfService } from './hub-self-service.ts';
import { hubSignIn } from './hub-sign-in.ts';
import { recordRetention, recordSize } from './hub-storage.ts';
import { adminToken, ensureTokenIsAcceptable } from './hub-token.ts';
import { type SnapshotSearch, searchSnapshots } from './mcp-search.ts';
import { openCatalogue } from './open-catalogue.ts';
import { type HubParts, type OpenPartsOptions, openHubParts } from './open-hub-parts.ts';
import { openPayments, type StripeSecrets } from './open-payments.ts';
import { openShelves } from './open-shelves.ts';
import { ensureLogHoldsFeeds, publishedDocuments } from './own-folder.ts';
import { pageSearch } from './page-search.ts';
import type { PushPart } from './push-part.ts';
import { retrustFeed } from './retrust-feed.ts';
import { shelfStorage } from './shelf-storage.ts';
import { watchSources } from './watch-sources.ts';

export interface RunHubOptions extends Omit<OpenPartsOptions, 'onProblem'> {
  /** The token of the hub's admin. Absent: the one of an earlier start, else a new one. */
  readonly token?: string;
  /** Shows the token that this start has made, before its hash is stored. */
  readonly onNewToken?: (token: string) => void;
  readonly logger: HubLogger;
  /** Whether every request is logged, not only those that fail. */
  readonly logRequests?: boolean;
  /** Where keys are sold with Stripe. */
  readonly stripe?: StripeSecrets;
  /** What the OpenID provider of the settings knows this hub by. */
  readonly oidcSecret?: string | undefined;
  /** Those that it reads and serves; all that Tidings speaks unless said otherwise. */
  readonly dialects?: readonly Dialect[];
  /** Ends the start, which fails with its reason then. Who has a hub closes that. */
  readonly signal?: AbortSignal;
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
const HONESTY_PAGES = 5;
const MEND_EVERY_MS = 10_000;
/** A data folder that is deleted or replaced is said within 10 s. */
const GUARD_EVERY_MS = 5000;

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
  const { signal: stopping, onNewToken, logger, logRequests = false, dialects = DIALECTS } = options;
  const onBug = (error: unknown) => logger.error({ error }, 'A fault of Tidings itself; please report it');
  const { parts, storage, payments, admin, hubId } = await openData(config, { ...options, dialects }, endings);
  const { store, metrics } = parts;
  stopping.throwIfAborted();

  let listeningAt: string | undefined;
  const baseUrl = () => config.baseUrl ?? listeningAt ?? '';
  const watching = await watchAndShelve(parts, {
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
  await othersFirst();
  const server = await startServer(routes, { config, adminHash: admin.hash, logger, logRequests, metrics, hubId });
  listeningAt = server.url;
  // Side by side, so that both together end in time.
  endings.add(() => Promise.all([mcp.close(), push.close(), server.close(GRACE_MS), watch.stop()]));
  if (admin.made !== undefined) onNewToken?.(admin.made);
  await tolerating('The token could not be stored; it counts until the hub ends', logger, () => admin.keep());
  await tolerating('What is kept could not be written down', logger, () => recordRetention(config.retention, store));
  begin();
  settleOwned({ watch, keys: parts.keys, isSelfServiceOn: config.selfService.enabled, logger, onBug });
  repeatChores({ ...parts, ...config, sweeper, shelves, logger, endings, onBug });

  return {
    url: server.url,
    ...(admin.made !== undefined && { newToken: admin.made }),
    sources: () => watch.sources().length,
    close: () => endings.run(),
    [Symbol.asyncDispose]: () => endings.run(),
  };
}

/** What routes and pages ask of those who tell others. */
function servicePorts(mcp: Pick<PushPart, 'routes'>, push: PushPart) {
  return {
    services: [...mcp.routes, ...push.routes],
    sights: push.sights ?? {},
    webSubOf: (id: string) => push.webSubOf?.(id),
  };
}

/** What routes do beyond the data folder. */
function routePorts({ store, ways, cache, metrics, pageTexts }: OpenedParts, { botUrl }: HubConfig, logger: HubLogger) {
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

interface DataOptions extends Pick<RunHubOptions, 'token' | 'stripe' | 'logger' | 'wall' | 'trustClock' | 'onJob'> {
  readonly dialects: readonly Dialect[];
}

interface OpenedParts extends HubParts {
  readonly catalogue: LogCatalogue;
  readonly pageTexts: SnapshotSearch;
}

/** What stands in the data folder, unless it does not hold what was published from it. */
async function openData(config: HubConfig, options: DataOptions, endings: Endings) {
  const { token, stripe = {}, logger, dialects } = options;
  const onProblem = (message: string) => logger.warn({}, message);
  const parts = await openHubParts(config, endings, { ...options, onProblem });
  const storage = shelfStorage(config, parts.store, logger);
  await ensureLogHoldsFeeds(config.data, parts.store, await publishedDocuments(dialects, storage));
  const payments = await openPayments(config, stripe, endings);
  const admin = await adminToken(parts.store, token);
  const catalogue = endings.use(await openCatalogue({ ...parts, folder: config.data, onProblem }));
  const pageTexts = endings.use(searchSnapshots(parts.store));
  return {
    parts: { ...parts, catalogue, pageTexts },
    storage,
    payments,
    admin,
    hubId: await keptIdentity(parts.store, logger),
  };
}

function archivesOf({ data }: HubConfig) {
  return openLogArchives(join(data, 'archive'));
}

async function keptIdentity(store: HubParts['store'], logger: HubLogger): Promise<string> {
  const { id, keep } = await hubIdentity(store, randomNonce);
  await tolerating('The id of the hub could not be stored; it has another one after a restart', logger, keep);
  return id;
}

interface ServerParts extends Pick<ServerOptions, 'logger' | 'logRequests' | 'metrics' | 'hubId'> {
  readonly config: HubConfig;
  readonly adminHash: string;
}

async function startServer(routes: ServerOptions['routes'], { config, adminHash, ...rest }: ServerParts) {
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

interface WatchParts {
  readonly config: HubConfig;
  readonly dialects: readonly Dialect[];
  readonly storage: ShelfStorage;
  readonly logger: HubLogger;
  readonly endings: Endings;
  readonly stopping: AbortSignal;
  readonly baseUrl: () => string;
  readonly hubId: string;
  readonly adminHash: string;
  /** Where this hub answers: feeds there are its own, and are not followed. */
  readonly ownAddresses: () => readonly string[];
  readonly onBug: (error: unknown) => void;
}

/** The sources and the documents made of them: how documents are made depends on how sources stand, and the other way round. */
async function watchAndShelve(parts: OpenedParts, options: WatchParts) {
  const { config, dialects, storage, logger, endings, stopping, baseUrl, hubId, ownAddresses, onBug } = options;
  // Nothing is asked before the hub listens: it may not be able to.
  let begin = () => {};
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let opened: HubShelves | undefined;
  let pushing: PushPart | undefined;
  const watch = await watchSources(parts, {
    config,
    dialects,
    logger,
    mayBegin,
    hubId,
    ownAddresses,
    honestyPages: config.honestyPages ?? HONESTY_PAGES,
    onSource: (id) => void opened?.restate([id]).catch(onBug),
    feedSeq: () => opened?.seq ?? 0,
    onEvent: (event) => pushing?.heard?.(event),
    restAfter: (look) => pushing?.looked?.(look) ?? 1,
    notesOf: (id) => pushing?.notesOf?.(id) ?? [],
  });
  endings.add(() => watch.stop());
  const shelves = endings.use(
    await openShelves({ ...parts, config, dialects, storage, watch, baseUrl, stopping, onBug }),
  );
  opened = shelves;
  const mcp = hubMcp({ ...parts, config, dialects, watch, logger, version: packageVersion() });
  const documents = shelves.routes();
  const push = await hubPush({ ...parts, ...options, watch, documents, shelves });
  pushing = push;
  endings.add(() => push.close());
  const beginAll = () => {
    begin();
    push.begin?.();
  };
  return { watch, shelves, documents, mcp, push, begin: beginAll };
}

/** The sources of keys follow how those stand, from now on. */
function settleOwned({ logger, onBug, ...owned }: Pick<WatchParts, 'logger' | 'onBug'> & OwnedParts): void {
  const trouble = 'Sources of API keys or of visitors could not be paused or resumed; it is tried again';
  const settle = () => {
    void tolerating(trouble, logger, () => settleOwnedSources(owned)).catch(onBug);
  };
  owned.keys.onChange(settle);
  settle();
}

interface OwnedParts {
  readonly watch: RunningWatch;
  readonly keys: HubParts['keys'];
  readonly isSelfServiceOn: boolean;
}

interface ChoreParts {
  readonly data: string;
  readonly retention: Retention;
  readonly sweeper: Sweeper;
  readonly store: HubParts['store'];
  readonly catalogue: LogCatalogue;
  readonly jobs: HubParts['jobs'];
  readonly clock: HubParts['clock'];
  readonly shelves: HubShelves;
  readonly logger: HubLogger;
  readonly endings: Endings;
  readonly onBug: (error: unknown) => void;
}

/** What a hub does from time to time: it looks whether its folder is there, mends what lags behind the log, and drops what it need not keep. */
function repeatChores(parts: ChoreParts): void {
  const { data, retention, sweeper, store, catalogue, clock, shelves, logger, endings, onBug } = parts;
  store.onChanges((changes) => void catalogue.add(changes).catch(onBug));
  const catchUp = () => indexLog(parts).catch(onBug);
  void catchUp();
  endings.add(repeat(MEND_EVERY_MS, catchUp));
  const mend = async () => {
    for (const lag of await shelves.mend(onBug)) logger.error({ ...lag }, 'Documents lag behind the log');
  };
  const sweep = async () => {
    await recordSize(data, store);
    const archive = await sweeper.sweep(retention);
    if (archive !== undefined)
      logger.info({ ...archive }, 'The oldest changes were moved from the log into an archive');
  };
  endings.add(repeat(MEND_EVERY_MS, mend));
  const reportDoubt = doubtReporter(() => clock.doubt, logger);
  reportDoubt();
  endings.add(repeat(GUARD_EVERY_MS, async () => reportDoubt()));
  const reportLoss = lossReporter(() => store.lost, logger);
  endings.add(repeat(GUARD_EVERY_MS, async () => reportLoss()));
  const sweepTolerantly = () => tolerating('What is old could not be dropped', logger, sweep).catch(onBug);
  endings.add(startSweeping(sweepTolerantly, { alarm, random: randomFraction }));
}

/** Behind an upgrade the whole log is new to the catalogue. */
function indexLog({ catalogue, jobs }: Pick<ChoreParts, 'catalogue' | 'jobs'>): Promise<void> {
  const total = catalogue.standing.behind;
  const doneNow = () => Math.max(0, total - catalogue.standing.behind);
  return jobs.run({ what: 'Indexing the log', unit: 'changes', total, doneNow }, () => catalogue.mend());
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
