import { LogUnavailableError } from '../errors/log-error.ts';
import { ignoreKnownError } from '../errors/tidings-error.ts';
import type { HostMemory } from '../fetch/host-memory.ts';
import { ClusterPresence } from '../hub/cluster/cluster-presence.ts';
import type { Roles } from '../hub/cluster/roles.ts';
import { type SharedWatch, sharedWatch } from '../hub/cluster/shared-watch.ts';
import type { MakeLimiter } from '../hub/keys/rate-limiter.ts';
import { SharedLimits } from '../hub/keys/shared-limits.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { ClusterHubStore } from '../io/cluster/cluster-store.ts';
import { holdsDatabase } from '../io/cluster/fill-replica.ts';
import { randomNonce } from '../io/node/random-token.ts';
import { alarm, repeat } from '../io/node/timer-alarm.ts';
import { PostgresBases } from '../io/postgres/cluster/bases.ts';
import { type ClusterDatabase, connectClusterDatabase } from '../io/postgres/cluster/cluster-database.ts';
import { openPostgresHostMemory } from '../io/postgres/cluster/host-memory.ts';
import { PostgresJournal } from '../io/postgres/cluster/journal.ts';
import { PostgresLimitExchange } from '../io/postgres/cluster/limit-exchange.ts';
import { openClusterDatabase } from '../io/postgres/cluster/open-cluster-database.ts';
import { PostgresProcessBoard } from '../io/postgres/cluster/process-board.ts';
import { PostgresRoles } from '../io/postgres/cluster/roles.ts';
import { PostgresSourceLeases } from '../io/postgres/cluster/source-leases.ts';
import type { Endings } from './endings.ts';
import { lastKnownMs } from './last-known.ts';
import { openClusterStore } from './open-cluster.ts';

export interface JoinOptions {
  /** The URL of the database that the processes share. */
  readonly url: string;
  readonly kind: 'serve' | 'worker';
  /** Where this process keeps its copy of the hub. */
  readonly folder: string;
  readonly excerpts?: boolean | undefined;
  /** The number of sources visited in parallel. 0: others visit them. */
  readonly concurrency: number;
  readonly leaseSeconds?: number | undefined;
  readonly logger: HubLogger;
  /** Called when this process must end: its copy has another history, or is older than what others write. */
  readonly onEnd: (error: unknown) => void;
}

/** One process among those of a hub. */
export interface JoinedCluster {
  readonly store: ClusterHubStore;
  readonly shared: SharedWatch;
  readonly hosts: HostMemory;
  readonly presence: ClusterPresence;
  readonly roles: Roles;
  readonly leaseMs: number;
  /** Rate limits that all processes count together. */
  readonly makeLimiter: MakeLimiter;
  /** Reports that this process holds a role, or no longer does. */
  hold(role: string, isHeld: boolean): void;
}

/** Other processes take over the work of a process that was silent for this long. */
const LEASE_SECONDS = 5;
const SAY_EVERY_MS = 2000;

/**
 * Makes this process part of a hub. It may have to catch up: see `store.replica.current()`.
 *
 * Without the database, a process with a copy starts with that. One without a copy fails with {@link LogUnavailableError}.
 */
export async function joinCluster(options: JoinOptions, endings: Endings): Promise<JoinedCluster> {
  const { url, kind, folder, excerpts, concurrency, leaseSeconds = LEASE_SECONDS, logger, onEnd } = options;
  const leaseMs = leaseSeconds * 1000;
  const name = `${kind}-${randomNonce()}`;
  const database = endings.use(await reachDatabase(url, { name, folder, logger }));
  const store = endings.use(
    await openClusterStore({
      journal: new PostgresJournal(database),
      bases: new PostgresBases(database),
      folder,
      excerpts,
      keepsFeeds: kind === 'serve',
      onTrouble: (error) => logger.warn({ error }, 'The database does not answer; it is asked again'),
      onEnd,
    }),
  );
  store.replica.current().then(
    () => database.prove(),
    () => {},
  );
  const ownRoles = new Set<string>();
  const shared = sharedWatch(store, {
    leases: new PostgresSourceLeases(database),
    holder: name,
    leaseMs,
    concurrency,
    elapsed: () => performance.now(),
    alarm,
    onTrouble: (error) => logger.warn({ error }, 'Cannot ask which sources are due; it is asked again'),
    onRecovered: () => logger.info({}, 'Asks again which sources are due'),
  });
  const presence = new ClusterPresence({
    board: new PostgresProcessBoard(database, { id: name, kind }),
    replica: store.replica,
    facts: () => ({ visits: shared.held(), roles: [...ownRoles] }),
    now: Date.now,
    knownMs: await lastKnownMs(store),
  });
  const limits = endings.use(
    new SharedLimits({
      exchange: new PostgresLimitExchange(database),
      alarm,
      onBug: (error) => logger.error({ error }, 'A fault of Tidings itself; please report it'),
    }),
  );
  endings.add(saySoon(presence));
  return {
    store,
    shared,
    hosts: await openPostgresHostMemory(database, { nowMs: Date.now() }),
    presence,
    roles: new PostgresRoles(database, { holder: name, leaseMs }),
    leaseMs,
    makeLimiter: (limit, options) => limits.limiter(limit, options),
    hold: (role, isHeld) => void (isHeld ? ownRoles.add(role) : ownRoles.delete(role)),
  };
}

interface Reaching {
  readonly name: string;
  readonly folder: string;
  readonly logger: HubLogger;
}

async function reachDatabase(url: string, { name, folder, logger }: Reaching): Promise<ClusterDatabase> {
  const options = { url, applicationName: `tidings ${name}` };
  try {
    return await openClusterDatabase(options);
  } catch (error) {
    if (!(error instanceof LogUnavailableError) || !holdsDatabase(folder)) throw error;
    logger.warn({ error }, 'The database cannot be reached; what this machine has is served until it can be');
    return await connectClusterDatabase(options);
  }
}

/** The board is for people: a failed update is made up for by the next one. */
function saySoon(presence: ClusterPresence): () => Promise<void> {
  let said = Promise.resolve();
  const say = () => {
    said = presence.refresh().catch(ignoreKnownError);
    return said;
  };
  void say();
  const cancel = repeat(SAY_EVERY_MS, say);
  return async () => {
    cancel();
    await said;
    await presence.leave().catch(ignoreKnownError);
  };
}
