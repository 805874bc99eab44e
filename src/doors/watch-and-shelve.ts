import type { Dialect } from '../dialects/dialect.ts';
import type { ShelfStorage } from '../dialects/shelf-storage.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { HubShelves } from '../hub/shelves/hub-shelves.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { packageVersion } from '../io/node/package-version.ts';
import type { Endings } from './endings.ts';
import { hubMcp } from './hub-mcp.ts';
import type { HubProjector } from './hub-projector.ts';
import { hubPush } from './hub-push.ts';
import type { HubData } from './open-hub-data.ts';
import { openShelves } from './open-shelves.ts';
import type { PushPart } from './push-part.ts';
import { watchSources } from './watch-sources.ts';

const HONESTY_PAGES = 5;

export interface WatchAndShelveOptions {
  readonly config: HubConfig;
  readonly dialects: readonly Dialect[];
  readonly storage: ShelfStorage;
  readonly logger: HubLogger;
  readonly endings: Endings;
  readonly stopping: AbortSignal;
  readonly baseUrl: () => string;
  readonly hubId: string;
  readonly adminHash: string;
  /** The addresses of this hub: feeds there are its own, and are not followed. */
  readonly ownAddresses: () => readonly string[];
  /** For a hub that runs in several processes. */
  readonly projector?: HubProjector | undefined;
  readonly onBug: (error: unknown) => void;
}

/** Opens the sources and the documents together, because each depends on the state of the other. */
export async function watchAndShelve(parts: HubData, options: WatchAndShelveOptions) {
  const { config, dialects, storage, logger, endings, stopping, baseUrl, hubId, ownAddresses, projector, onBug } =
    options;
  // No request is made before the hub listens, because that may fail.
  let begin = () => {};
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const onProblem = (message: string) => logger.warn({}, message);
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
    shared: parts.cluster?.shared,
    onSource: (id) => void opened?.restate([id]).catch(onBug),
    feedSeq: () => opened?.seq ?? 0,
    onEvent: (event) => pushing?.heard?.(event),
    restAfter: (look) => pushing?.looked?.(look) ?? 1,
    notesOf: (id) => pushing?.notesOf?.(id) ?? [],
  });
  endings.add(() => watch.stop());
  endings.add(() => parts.cluster?.store.keepAtCuts(undefined));
  const shelves = endings.use(
    await openShelves({ ...parts, config, dialects, storage, watch, baseUrl, stopping, projector, onBug, onProblem }),
  );
  opened = shelves;
  const receipts = shelves.receipts();
  const mcp = hubMcp({ ...parts, config, dialects, watch, logger, baseUrl, receipts, version: packageVersion() });
  const documents = shelves.routes();
  const push = await hubPush({ ...parts, ...options, watch, documents, shelves });
  pushing = push;
  endings.add(() => push.close());
  const beginAll = () => {
    begin();
    push.begin?.();
    projector?.begin();
  };
  return { watch, shelves, documents, mcp, push, begin: beginAll };
}
