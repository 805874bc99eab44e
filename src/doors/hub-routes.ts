import type { Dialect } from '../dialects/dialect.ts';
import { dialectNamed, feedDialects } from '../dialects/feed-readers.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import type { RequestJournal } from '../fetch/request-journal.ts';
import type { Catalogue } from '../hub/catalogue/catalogue.ts';
import type { ClusterPresence } from '../hub/cluster/cluster-presence.ts';
import { decodeSource } from '../hub/config/decode-source.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { createPathFilter } from '../hub/config/path-filter.ts';
import type { PageSearch } from '../hub/dashboard/search/search-facts.ts';
import { searchFeedRoutes } from '../hub/dashboard/search/search-feeds.ts';
import { privateRoutes } from '../hub/dashboard/sign-in/private-routes.ts';
import { openApiRoutes } from '../hub/http/openapi.ts';
import type { Route } from '../hub/http/route.ts';
import { withDigests } from '../hub/http/with-digests.ts';
import type { JobBoard } from '../hub/jobs/job-board.ts';
import { countUsage } from '../hub/keys/count-usage.ts';
import type { KeyRing } from '../hub/keys/key-ring.ts';
import type { UsageMeter } from '../hub/keys/key-usage.ts';
import { clientOf, limitMeteredRoutes, limitRoutes } from '../hub/keys/limit-routes.ts';
import type { Payments } from '../hub/keys/payments.ts';
import type { MakeLimiter } from '../hub/keys/rate-limiter.ts';
import type { WebSubView } from '../hub/push/subscriber/websub-view.ts';
import type { Sweeper } from '../hub/retention/sweep.ts';
import { archiveRoutes } from '../hub/routes/archive-routes.ts';
import { changesRoutes } from '../hub/routes/changes-routes.ts';
import { type DocParts, docRoutes } from '../hub/routes/doc-routes.ts';
import type { SourceScope } from '../hub/routes/document-scope.ts';
import { healthRoutes } from '../hub/routes/health-routes.ts';
import { jobsRoute } from '../hub/routes/job-routes.ts';
import { keyRoutes } from '../hub/routes/key-routes.ts';
import { metricsRoutes } from '../hub/routes/metrics-routes.ts';
import { ownerRoutes } from '../hub/routes/owner-routes.ts';
import { previewRoute } from '../hub/routes/preview-route.ts';
import { redactRoutes } from '../hub/routes/redact-routes.ts';
import { requestRoutes } from '../hub/routes/request-routes.ts';
import { type RetrustRouteParts, retrustRoute } from '../hub/routes/retrust-route.ts';
import type { SourceParts } from '../hub/routes/source-route-parts.ts';
import { sourceRoutes } from '../hub/routes/source-routes.ts';
import { storageRoute } from '../hub/routes/storage-routes.ts';
import type { DoubtingClock } from '../hub/schedule/doubting-clock.ts';
import type { HubShelves } from '../hub/shelves/hub-shelves.ts';
import { logActions } from '../hub/sign-in/log-actions.ts';
import type { HubStore } from '../hub/store/hub-store.ts';
import type { HubNews } from '../hub/watch/news.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { isPrivateName } from '../io/dns/private-host.ts';
import { randomApiKey } from '../io/node/random-api-key.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { HubBotAuth } from './hub-bot-auth.ts';
import { hubChecks } from './hub-checks.ts';
import { dashboardRoutes } from './hub-dashboard.ts';
import { hubPreviewer } from './hub-preview.ts';
import type { SelfService } from './hub-self-service.ts';
import type { HubSignIn } from './hub-sign-in.ts';
import { readStorage } from './hub-storage.ts';
import type { PoliteWays } from './open-http.ts';
import type { PushSights } from './push-part.ts';
import { redactChange } from './redact-change.ts';

export interface RouteParts
  extends Pick<DocParts, 'readDocument' | 'readFolderPage'>,
    Pick<RetrustRouteParts, 'retrust' | 'onRetrust'> {
  readonly config: HubConfig;
  /** The dialects that sources may use. */
  readonly dialects: readonly Dialect[];
  readonly version: string;
  readonly store: HubStore & Pick<WholeHubStore, 'lost' | 'redactChange'>;
  /** The routes of the stored documents. */
  readonly documents: readonly Route[];
  readonly shelves: Pick<HubShelves, 'links' | 'feedsOf' | 'eventsOf' | 'standingOf' | 'changeLists' | 'redact'>;
  readonly sweeper: Sweeper;
  /** For a hub that runs in several processes. */
  readonly cluster?: { readonly presence: Pick<ClusterPresence, 'view'> } | undefined;
  readonly news: HubNews;
  readonly catalogue: Catalogue;
  readonly searchPages: PageSearch;
  readonly journal: RequestJournal;
  /** The requests of strangers. */
  readonly selfService: SelfService;
  /** The epoch of the log; undefined if no backup was ever restored. */
  readonly epoch: string | undefined;
  readonly clock: Pick<DoubtingClock, 'doubt'>;
  readonly watch: Watch;
  /** The HTTP client for previews of sites that are not watched yet. */
  readonly ways: PoliteWays;
  readonly keys: KeyRing;
  readonly usage: UsageMeter;
  readonly makeLimiter: MakeLimiter;
  readonly payments?: Payments | undefined;
  readonly signIn: HubSignIn;
  readonly renderMetrics: () => Promise<string>;
  /** `/mcp`, streams and subscriptions. */
  readonly services: readonly Route[];
  readonly botAuth?: HubBotAuth | undefined;
  /** What pages show about the push channels. */
  readonly sights: PushSights;
  /** The running jobs that take a while. */
  readonly jobs: JobBoard;
  /** Whether a WebSub hub announces the news of a source. */
  readonly webSubOf: (source: string) => WebSubView | undefined;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
}

/** All routes of the hub in one table. Actions are logged, and a private hub restricts the routes to known users. */
export function hubRoutes(parts: RouteParts): readonly Route[] {
  const { config, keys, signIn } = parts;
  const logged: readonly Route[] = logActions(
    tableOf(parts, () => routes),
    signIn.log,
  );
  const routes = config.access === 'private' ? privateRoutes(logged, { sessions: signIn.sessions, keys }) : logged;
  return routes;
}

function tableOf(parts: RouteParts, routes: () => readonly Route[]): readonly Route[] {
  const { config, store, shelves, watch, keys, usage, payments, baseUrl, version, cluster } = parts;
  const { limits: perMinute } = config;
  const now = Date.now;
  const news = { ...parts.news, standingOf: shelves.standingOf.bind(shelves) };
  const limiter = parts.makeLimiter('feeds', { now });
  const metered = { limiter, perMinute, keys, usage };
  const isSource = (id: string) => watch.source(id) !== undefined || news.lastChangeIdOf(id) !== undefined;
  const decode = sourceDecoder(config, parts.dialects);
  const previewer = hubPreviewer({ ...parts, decodeSource: decode });
  const searches = searchFeedRoutes({ catalogue: parts.catalogue, changeLists: shelves.changeLists(), baseUrl });
  return [
    ...limitMeteredRoutes(dashboardRoutes({ ...parts, previewer, checks: hubChecks(parts) }, routes), metered),
    ...parts.signIn.api,
    ...limitMeteredRoutes(digestsOf(config)([...parts.documents, ...searches]), metered),
    ...keyRoutes({
      ...metered,
      ...(payments !== undefined && { payments }),
      makeLimiter: parts.makeLimiter,
      makeKey: randomApiKey,
      baseUrl,
      now,
    }),
    ...keptRoutes(parts),
    jobsRoute(parts.jobs),
    storageRoute(() => readStorage(config.data, store)),
    ...digestsOf(config)(changesRoutes({ store, epoch: parts.epoch, newest: news.newest, isSource, baseUrl })),
    ...sourceRoutes({
      watch,
      keys,
      keySources: config.keySources,
      isPrivateName,
      news,
      webSubOf: parts.webSubOf,
      jobs: parts.jobs,
      decodeSource: decode,
      dialectOf: (name) => dialectNamed(parts.dialects, name)?.name,
      now,
      deadline: (ms) => AbortSignal.timeout(ms),
    }),
    previewRoute(previewer),
    ...ownerRoutes({ ...parts.selfService.owners, baseUrl }),
    ...requestRoutes({ ...parts.selfService, baseUrl, deadline: (ms) => AbortSignal.timeout(ms) }),
    retrustRoute({ ...parts, news, now }),
    ...healthRoutes({
      watch,
      news,
      isLost: () => store.lost !== undefined,
      clockDoubt: () => parts.clock.doubt,
      ...(cluster && { cluster: () => cluster.presence.view() }),
      now,
    }),
    ...metricsRoutes(parts.renderMetrics),
    ...(parts.botAuth?.routes ?? []),
    ...countUsage(parts.services, { keys, usage }),
    ...openApiRoutes(routes, () => ({ version, baseUrl: baseUrl() })),
  ];
}

/** Adds digests to documents if the settings ask for them. */
function digestsOf({ digests = true }: HubConfig): (routes: readonly Route[]) => readonly Route[] {
  return digests ? withDigests : (routes) => routes;
}

/** The routes for pages as documents, archives of the log, and redaction. */
function keptRoutes(parts: RouteParts): readonly Route[] {
  const { config, store, shelves, keys, usage, cluster } = parts;
  const limiter = parts.makeLimiter('documents', { now: Date.now });
  return [
    ...limitRoutes(digestsOf(config)(docRoutes(docParts(parts))), { limiter, perMinute: config.limits, keys, usage }),
    ...archiveRoutes({ ...parts, ...(cluster && { mayBeCutAt: cutFinder(parts, cluster) }) }),
    ...redactRoutes({
      redact: (id) =>
        redactChange(id, {
          store,
          documentsTelling: async (change, texts) =>
            (await shelves.eventsOf(change))
              .filter(({ text }) => text === undefined || texts.some((each) => text.includes(each)))
              .map(({ path }) => path),
          tell: (each) => shelves.redact(each),
        }),
    }),
  ];
}

/** Whether another process may have cut off a change that this process still has. For a process that lags behind, also a change it does not have yet. */
function cutFinder({ store, news }: RouteParts, { presence }: NonNullable<RouteParts['cluster']>) {
  return (seq: number) =>
    seq > (store.logStart()?.seq ?? 0) && (seq <= (news.newest()?.seq ?? 0) || presence.view().behind > 0);
}

/** Decodes a source in the form of the API. */
export function sourceDecoder({ allowPrivate }: HubConfig, dialects: readonly Dialect[]): SourceParts['decodeSource'] {
  return (value, at, { isStored } = { isStored: false }) =>
    decodeSource(value, { allowPrivate, dialects: feedDialects(dialects), at, ...(isStored && { base: '/' }) });
}

/** Decides which URLs are pages of a source. */
export function sourceScope(store: Pick<HubStore, 'hasTold'>): SourceScope {
  return {
    isChosen: (source, url) => createPathFilter(source)(url) && createReadingRules(source).accepts(url),
    isNamed: (source, url) => store.hasTold(source, url),
  };
}

function docParts(parts: RouteParts): DocParts {
  const { store, keys } = parts;
  return {
    ...parts,
    scope: sourceScope(store),
    clientOf: (request) => clientOf(request, keys),
    wait,
  };
}
