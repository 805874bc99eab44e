import { type OpenRunShelf, openRunShelf } from '../dialects/diffdelta/shelf/run-keeper.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { HubParts } from './open-hub-parts.ts';

/** How often clients of DiffDelta should ask, where nobody said otherwise. */
const TTL_SEC = 300;

/** For all sources together. */
export function ttlSecOf({ ttlSeconds }: Pick<HubConfig, 'ttlSeconds'>): number {
  return Math.max(1, ttlSeconds ?? TTL_SEC);
}

/** No source has news more often than it is looked at. */
export function sourceTtlSec(config: Pick<HubConfig, 'ttlSeconds'>, source: SourceConfig | undefined): number {
  return Math.max(1, config.ttlSeconds ?? source?.intervalSeconds ?? TTL_SEC);
}

/** The DiffDelta files of a hub. From then on they follow what is committed to the store. */
export async function keepRuns(
  { store }: Pick<HubParts, 'store'>,
  watch: Pick<Watch, 'source' | 'sources'>,
  { config, onBug }: { readonly config: HubConfig; readonly onBug: (error: unknown) => void },
): Promise<OpenRunShelf> {
  const runs = await openRunShelf({
    store: store.openRuns(),
    readChanges: (after) => store.changes({ after }),
    statusOf: (id) => watch.source(id),
    sources: () => watch.sources().map(({ config: { id } }) => id),
    ttlSecOf: (id) => sourceTtlSec(config, watch.source(id)?.config),
    ttlSec: ttlSecOf(config),
    root: config.baseUrl === undefined ? '/' : new URL(config.baseUrl).pathname,
    now: Date.now,
    wait,
  });
  store.onChanges((changes) => void runs.add(changes).catch(onBug));
  return runs;
}
