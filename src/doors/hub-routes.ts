import { DIFF_SCHEMA } from '../codecs/diffdelta/schema.ts';
import type { OpenAtomShelf } from '../hub/atom/atom-keeper.ts';
import { decodeSource } from '../hub/decode-source.ts';
import type { OpenRunShelf } from '../hub/diffdelta/run-keeper.ts';
import type { FeedShelf } from '../hub/feeds/feed-shelf.ts';
import type { HubConfig } from '../hub/hub-config.ts';
import type { HubStore, WatchedSource } from '../hub/hub-store.ts';
import type { KeyRing } from '../hub/keys/key-ring.ts';
import { limitRoutes } from '../hub/keys/limit-routes.ts';
import type { Payments } from '../hub/keys/payments.ts';
import { createRateLimiter } from '../hub/keys/rate-limiter.ts';
import type { News } from '../hub/news.ts';
import { createPathFilter } from '../hub/path-filter.ts';
import { atomRoutes } from '../hub/serve/atom-routes.ts';
import { changesRoutes } from '../hub/serve/changes-routes.ts';
import { diffDeltaDocumentRoutes, diffDeltaFeedRoutes } from '../hub/serve/diffdelta-routes.ts';
import { type DocParts, docRoutes } from '../hub/serve/doc-routes.ts';
import { feedRoutes } from '../hub/serve/feed-routes.ts';
import { healthRoutes } from '../hub/serve/health-routes.ts';
import { homeRoutes } from '../hub/serve/home-page.ts';
import { keyRoutes } from '../hub/serve/key-routes.ts';
import { metricsRoutes } from '../hub/serve/metrics-routes.ts';
import { openApiRoutes } from '../hub/serve/openapi.ts';
import { retrustRoute } from '../hub/serve/retrust-route.ts';
import type { Route } from '../hub/serve/route.ts';
import { sourceRoutes } from '../hub/serve/source-routes.ts';
import { type SurfaceFiles, surfaceRoutes } from '../hub/serve/surface-routes.ts';
import { feedDialects } from '../hub/visit/feed-readers.ts';
import { type Retrusted, retrustSource } from '../hub/visit/retrust.ts';
import type { Watch } from '../hub/watch-port.ts';
import { randomApiKey } from '../io/random-api-key.ts';
import { capabilitiesOf } from '../produce/collect-hints.ts';
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
