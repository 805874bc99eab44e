import { join } from 'node:path';
import type { DocumentCache } from '../crawl/document-cache.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { createKeyRing, type KeyRing } from '../hub/keys/key-ring.ts';
import { createNews, type HubNews } from '../hub/watch/news.ts';
import { createPromMetrics, type PromMetrics } from '../io/prom/metrics.ts';
import type { SqliteHubStore } from '../io/sqlite/hub-store.ts';
import type { Endings } from './endings.ts';
import { openDocumentCache } from './open-document-cache.ts';
import { openPolite, type PoliteWays } from './open-http.ts';
import { openOwnFolder } from './own-folder.ts';

/** What a hub has in its data folder, and its way out. */
export interface HubParts {
  readonly store: SqliteHubStore;
  readonly ways: PoliteWays;
  readonly cache: DocumentCache;
  readonly news: HubNews;
  readonly metrics: PromMetrics;
  readonly keys: KeyRing;
}

const RECENT_CHANGES = 50;

/** Opens all of it. From then on news and metrics follow what is committed to the store. */
export async function openHubParts(
  config: HubConfig,
  endings: Endings,
  onProblem: (message: string) => void,
): Promise<HubParts> {
  const store = endings.use(await openOwnFolder({ folder: config.data, excerpts: config.excerpts }));
  const cacheDir = join(config.data, 'cache');
  const ways = endings.use(await openPolite({ ...config, cacheDir, isSoleUser: true, onProblem }));
  const { cache } = await openDocumentCache(cacheDir, onProblem);
  endings.use(cache);
  const news = createNews({
    recent: await store.recentChanges(RECENT_CHANGES),
    lastIds: await store.lastChangeIds(),
    kept: RECENT_CHANGES,
  });
  const metrics = createPromMetrics();
  store.onChanges((changes) => {
    news.add(changes);
    for (const { action } of changes) metrics.changed(action, 1);
    // Whoever reads a page because the log names it must not get the text from before.
    for (const url of new Set(changes.map((change) => change.url))) void cache.forget({ url, variant: 'static' });
  });
  const keys = await createKeyRing(store.keys);
  return { store, ways, cache, news, metrics, keys };
}
