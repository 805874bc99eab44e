import { DIFF_SCHEMA } from '../codecs/diffdelta/schema.ts';
import { type Retrusted, retrustSource } from '../dialects/agent-feed/read/retrust.ts';
import { retrustRoute } from '../dialects/agent-feed/shelf/retrust-route.ts';
import { type SurfaceFiles, surfaceRoutes } from '../dialects/agent-feed/shelf/surface-routes.ts';
import { capabilitiesOf } from '../dialects/aicf/events/capabilities.ts';
import { feedRoutes } from '../dialects/aicf/shelf/feed-routes.ts';
import type { FeedShelf } from '../dialects/aicf/shelf/feed-shelf.ts';
import type { OpenAtomShelf } from '../dialects/atom/shelf/atom-keeper.ts';
import { atomRoutes } from '../dialects/atom/shelf/atom-routes.ts';
import { diffDeltaDocumentRoutes, diffDeltaFeedRoutes } from '../dialects/diffdelta/shelf/diffdelta-routes.ts';
import type { OpenRunShelf } from '../dialects/diffdelta/shelf/run-keeper.ts';
import { decodeSource } from '../hub/config/decode-source.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { createPathFilter } from '../hub/config/path-filter.ts';
import { homeRoutes } from '../hub/dashboard/home-page.ts';
import { openApiRoutes } from '../hub/http/openapi.ts';
import type { Route } from '../hub/http/route.ts';
import type { KeyRing } from '../hub/keys/key-ring.ts';
import { limitRoutes } from '../hub/keys/limit-routes.ts';
import type { Payments } from '../hub/keys/payments.ts';
import { createRateLimiter } from '../hub/keys/rate-limiter.ts';
import { changesRoutes } from '../hub/routes/changes-routes.ts';
import { type DocParts, docRoutes } from '../hub/routes/doc-routes.ts';
import { healthRoutes } from '../hub/routes/health-routes.ts';
import { keyRoutes } from '../hub/routes/key-routes.ts';
import { metricsRoutes } from '../hub/routes/metrics-routes.ts';
import { sourceRoutes } from '../hub/routes/source-routes.ts';
import type { HubStore, WatchedSource } from '../hub/store/hub-store.ts';
import { feedDialects } from '../hub/visit/feed-readers.ts';
import type { News } from '../hub/watch/news.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { randomApiKey } from '../io/node/random-api-key.ts';
import { atomDocuments } from './keep-atom.ts';
import { sourceTtlSec, ttlSecOf } from './keep-runs.ts';

export interface RouteParts extends Pick<DocParts, 'readDocument' | 'readFolderPage'> {
  readonly config: HubConfig;
  readonly version: string;
  readonly store: HubStore;
  readonly shelf: FeedShelf;
  readonly news: News;
  readonly watch: Watch;
  readonly runs: OpenRunShelf;
  readonly atom: OpenAtomShelf;
  readonly keys: KeyRing;
  readonly payments?: Payments | undefined;
  /** What the hub says of its own endpoints. */
  readonly surface?: SurfaceFiles | undefined;
  /** An operator trusts the feed of a source again. */
  readonly onRetrust?: (source: string, done: Retrusted) => void;
  readonly renderMetrics: () => Promise<string>;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
}

/** Everything that the hub answers: one table. */
export function hubRoutes(parts: RouteParts): readonly Route[] {
  const { config, store, shelf, watch, runs, atom, keys, payments, baseUrl, version } = parts;
  const { ttlSeconds, license, about, extensions, allowPrivate, data } = config;
  const now = Date.now;
  const news = { ...parts.news, runOf: runs.cursorsOf.bind(runs) };
  const limiter = createRateLimiter({ now });
  const diffDelta = {
    runs,
    hub: {
      baseUrl,
      sources: () => watch.sources(),
      isSource: (id: string) => watch.source(id) !== undefined,
      ttlSec: ttlSecOf(config),
      ttlSecOf: (source: WatchedSource) => sourceTtlSec(config, source.config),
    },
    schema: `${JSON.stringify(DIFF_SCHEMA, null, 2)}\n`,
    now,
  };
  const isSource = (id: string) => watch.source(id) !== undefined || shelf.find(id) !== undefined;
  const routes: Route[] = [
    ...homeRoutes({ watch, recentChanges: news.recent, collectionsOf: (id) => atom.collectionsOf(id), baseUrl, now }),
    ...feedRoutes({
      shelf,
      hub: { baseUrl, isSource, ttlSeconds, license, about, capabilities: capabilitiesOf(extensions) },
      now,
    }),
    ...atomRoutes({ documents: atomDocuments(atom, watch, { baseUrl, now }), shelf: atom, ttlSeconds, now }),
    ...limitRoutes(diffDeltaFeedRoutes(diffDelta), { limiter, perMinute: config.limits, keys }),
    ...diffDeltaDocumentRoutes(diffDelta),
    ...limitRoutes(surfaceRoutes({ files: parts.surface, now }), { limiter, perMinute: config.limits, keys }),
    ...keyRoutes({
      keys,
      ...(payments !== undefined && { payments }),
      perMinute: config.limits,
      limiter,
      makeKey: randomApiKey,
      baseUrl,
      now,
    }),
    ...docRoutes({ ...parts, isChosen: (source, url) => createPathFilter(source)(url) }),
    ...changesRoutes({ store, newest: news.newest, isSource, baseUrl }),
    ...sourceRoutes({
      watch,
      news,
      decodeSource: (value, at) => decodeSource(value, { allowPrivate, base: data, dialects: feedDialects(), at }),
      now,
      deadline: (ms) => AbortSignal.timeout(ms),
    }),
    retrustRoute({ ...parts, news, retrust: (source, options) => retrustSource(source, { store, now }, options), now }),
    ...healthRoutes({ watch, news, now }),
    ...metricsRoutes(parts.renderMetrics),
    ...openApiRoutes(
      () => routes,
      () => ({ version, baseUrl: baseUrl() }),
    ),
  ];
  return routes;
}
