import type { Dialect } from '../dialects/dialect.ts';
import type { ShelfWorld } from '../dialects/shelf.ts';
import type { ShelfStorage } from '../dialects/shelf-storage.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { countItems } from '../hub/jobs/count-items.ts';
import type { JobBoard, TellProgress } from '../hub/jobs/job-board.ts';
import { logEpoch } from '../hub/log-epoch.ts';
import { WEBSUB_HUB_PATH } from '../hub/push/websub/endpoint.ts';
import { type HubShelves, openHubShelves, type ShelfOpening } from '../hub/shelves/hub-shelves.ts';
import { shelfSource } from '../hub/shelves/shelf-source.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import type { ClusterHubStore } from '../io/cluster/cluster-store.ts';
import type { CutDocuments } from '../io/cluster/log-cuts.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { gzipDocument } from '../io/zlib/document.ts';
import type { HubProjector } from './hub-projector.ts';

export interface OpenShelvesParts {
  readonly config: HubConfig;
  readonly dialects: readonly Dialect[];
  readonly storage: ShelfStorage;
  readonly store: WholeHubStore;
  readonly watch: Pick<Watch, 'source' | 'sources'>;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
  /** Aborted if the hub ends before it has started. */
  readonly stopping: AbortSignal;
  readonly onBug: (error: unknown) => void;
  readonly onProblem?: (message: string) => void;
  readonly projector?: Pick<HubProjector, 'steps' | 'onTurn'> | undefined;
  /** For a hub that runs in several processes: its documents are kept when the log is cut. */
  readonly cluster?: { readonly store: Pick<ClusterHubStore, 'keepAtCuts'> } | undefined;
  /** Shows a start that has much to catch up with. */
  readonly jobs?: JobBoard;
}

/** The documents of every dialect. From then on they follow what is committed to the store. */
export async function openShelves(parts: OpenShelvesParts): Promise<HubShelves> {
  const { config, store, watch, baseUrl, onBug, projector } = parts;
  const { ttlSeconds, license, about, extensions } = config;
  const epoch = await logEpoch(store);
  let progress: TellProgress | undefined;
  const world: ShelfWorld = {
    readChanges: (after) => countItems(store.changes({ after }), (before) => progress?.(after + before)),
    logStart: () => store.logStart(),
    ...(epoch !== undefined && { epoch }),
    sources: () => watch.sources().map(shelfSource),
    sourceOf: (id) => {
      const source = watch.source(id);
      return source && shelfSource(source);
    },
    baseUrl,
    ...(config.websubHub?.enabled !== false && { hubUrl: () => new URL(WEBSUB_HUB_PATH, baseUrl()).href }),
    root: config.baseUrl === undefined ? '/' : new URL(config.baseUrl).pathname,
    settings: {
      extensions,
      ...(ttlSeconds !== undefined && { ttlSeconds }),
      ...(license !== undefined && { license }),
      ...(about !== undefined && { about }),
    },
    storage: parts.storage,
    ...(projector && { steps: projector.steps }),
    stopping: parts.stopping,
    onProblem: parts.onProblem,
    now: Date.now,
    wait,
    gzip: gzipDocument,
  };
  const total = (await store.lastChange())?.seq ?? 0;
  const opening: ShelfOpening = (dialect, open) => {
    const told = (tell?: TellProgress) => {
      progress = tell;
      return open();
    };
    const what = `Catching up of the ${dialect} feeds`;
    return parts.jobs?.run({ what, unit: 'changes', total }, told) ?? open();
  };
  const opened = openHubShelves(parts.dialects, world, opening);
  parts.cluster?.store.keepAtCuts(opened.then(cutDocuments));
  const shelves = await opened;
  progress = undefined;
  store.onChanges((changes) => void shelves.add(changes).catch(onBug));
  projector?.onTurn((isHeld) => {
    if (isHeld) void shelves.mend(onBug).catch(onBug);
  });
  return shelves;
}

function cutDocuments(shelves: HubShelves): CutDocuments {
  return { secure: () => shelves.secureCut(), rebegin: () => shelves.rebegin() };
}
