import { formatTime } from '../codecs/primitives/time.ts';
import { LogUnavailableError } from '../errors/log-error.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { startWaitingServer } from '../io/node/waiting-server.ts';
import type { Endings } from './endings.ts';
import { type HubProjector, openProjector } from './hub-projector.ts';
import { type JoinedCluster, joinCluster } from './join-cluster.ts';

export interface JoinAsServerOptions {
  /** The work that this process leaves to others. */
  readonly leaves?: { readonly visits?: boolean; readonly projections?: boolean } | undefined;
  readonly logger: HubLogger;
  readonly signal: AbortSignal;
  readonly onBug: (error: unknown) => void;
}

/** What a server knows of the other processes of its hub, if there are any. */
export interface JoinedAsServer {
  readonly cluster?: JoinedCluster;
  readonly projector?: HubProjector;
  /** Resolves to the reason why this process cannot continue. */
  readonly ended: Promise<unknown>;
}

/** Joins the other processes of the hub. Does nothing for a hub of one process. */
export async function joinWhereShared(
  config: HubConfig,
  options: JoinAsServerOptions,
  endings: Endings,
): Promise<JoinedAsServer> {
  let onEnd = (_error: unknown) => {};
  const ended = new Promise<unknown>((resolve) => {
    onEnd = resolve;
  });
  if (config.database === undefined) return { ended };
  const cluster = await joinAsServer(config.database, config, { ...options, onEnd }, endings);
  const { onBug, leaves } = options;
  const projector = endings.use(openProjector(cluster, { ...cluster, isLeft: leaves?.projections, onBug }));
  projector.onTurn((isHeld) => cluster.hold(PROJECTOR, isHeld));
  return { cluster, projector, ended };
}

/** Makes this process part of a hub, and answers 503 until it has caught up with the others. Without the database it continues with its own copy. */
async function joinAsServer(
  url: string,
  config: HubConfig,
  options: JoinAsServerOptions & { readonly onEnd: (error: unknown) => void },
  endings: Endings,
): Promise<JoinedCluster> {
  const { data: folder, excerpts, host, port, concurrency, leaseSeconds } = config;
  const { leaves, logger, signal, onEnd } = options;
  let joined: JoinedCluster | undefined;
  const answer = () => ({ ok: false, time: formatTime(Date.now()), reason: CATCHING_UP, ...standingOf(joined) });
  await using _waiting = await startWaitingServer({ host, port, answer });
  let fail = (_error: unknown) => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const onFailure = (error: unknown) => {
    fail(error);
    onEnd(error);
  };
  const onStop = () => fail(signal.reason);
  signal.addEventListener('abort', onStop, { once: true });
  try {
    signal.throwIfAborted();
    joined = await joinCluster(
      {
        url,
        kind: 'serve',
        folder,
        excerpts,
        concurrency: leaves?.visits ? 0 : concurrency,
        leaseSeconds,
        logger,
        onEnd: onFailure,
      },
      endings,
    );
    await Promise.race([joined.store.replica.current(), failed]);
  } catch (error) {
    // A process with a copy serves it.
    if (joined === undefined || !(error instanceof LogUnavailableError)) throw error;
  } finally {
    signal.removeEventListener('abort', onStop);
  }
  return joined;
}

/** The role of the process that makes the documents. */
const PROJECTOR = 'projector';
const CATCHING_UP = 'This server is filled from the database of the hub. It answers when it has caught up.';

function standingOf(joined: JoinedCluster | undefined): object {
  if (joined === undefined) return {};
  const { rev, endRev } = joined.store.replica.state;
  return { rev, of: Math.max(rev, endRev) };
}
