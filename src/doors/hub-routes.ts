import { decodeSource } from '../hub/decode-source.ts';
import type { FeedShelf } from '../hub/feeds/feed-shelf.ts';
import type { HubConfig } from '../hub/hub-config.ts';
import type { HubStore } from '../hub/hub-store.ts';
import type { News } from '../hub/news.ts';
import { createPathFilter } from '../hub/path-filter.ts';
import { changesRoutes } from '../hub/serve/changes-routes.ts';
import { type DocParts, docRoutes } from '../hub/serve/doc-routes.ts';
import { feedRoutes } from '../hub/serve/feed-routes.ts';
import { healthRoutes } from '../hub/serve/health-routes.ts';
import { homeRoutes } from '../hub/serve/home-page.ts';
import { metricsRoutes } from '../hub/serve/metrics-routes.ts';
import { openApiRoutes } from '../hub/serve/openapi.ts';
import type { Route } from '../hub/serve/route.ts';
import { sourceRoutes } from '../hub/serve/source-routes.ts';
import type { Watch } from '../hub/watch-port.ts';
import { capabilitiesOf } from '../produce/collect-hints.ts';

export interface RouteParts extends Pick<DocParts, 'readDocument' | 'readFolderPage'> {
  readonly config: HubConfig;
  readonly version: string;
  readonly store: HubStore;
  readonly shelf: FeedShelf;
  readonly news: News;
  readonly watch: Watch;
  readonly renderMetrics: () => Promise<string>;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
}

/** Everything that the hub answers: one table. */
export function hubRoutes(parts: RouteParts): readonly Route[] {
  const { config, store, shelf, news, watch, baseUrl, version } = parts;
  const { ttlSeconds, license, about, extensions, allowPrivate, data } = config;
  const now = Date.now;
  const isSource = (id: string) => watch.source(id) !== undefined || shelf.find(id) !== undefined;
  const routes: Route[] = [
    ...homeRoutes({ watch, recentChanges: news.recent, baseUrl, now }),
    ...feedRoutes({
      shelf,
      hub: { baseUrl, isSource, ttlSeconds, license, about, capabilities: capabilitiesOf(extensions) },
      now,
    }),
    ...docRoutes({ ...parts, isChosen: (source, url) => createPathFilter(source)(url) }),
    ...changesRoutes({ store, newest: news.newest, isSource, baseUrl }),
    ...sourceRoutes({
      watch,
      ids: news,
      decodeSource: (value, at) => decodeSource(value, { allowPrivate, base: data, at }),
      now,
      deadline: (ms) => AbortSignal.timeout(ms),
    }),
    ...healthRoutes({ watch, ids: news, now }),
    ...metricsRoutes(parts.renderMetrics),
    ...openApiRoutes(
      () => routes,
      () => ({ version, baseUrl: baseUrl() }),
    ),
  ];
  return routes;
}
