import type { HostMemory } from '../fetch/host-memory.ts';
import { viewProcess } from '../hub/cluster/cluster-presence.ts';
import type { ProcessView } from '../hub/health/process-view.ts';
import type { ClusterHubStore } from '../io/cluster/cluster-store.ts';
import { openScratchFolder } from '../io/files/scratch-folder.ts';
import { PostgresBases } from '../io/postgres/cluster/bases.ts';
import type { ClusterDatabase } from '../io/postgres/cluster/cluster-database.ts';
import { openPostgresHostMemory } from '../io/postgres/cluster/host-memory.ts';
import { PostgresJournal } from '../io/postgres/cluster/journal.ts';
import { visitClusterDatabase } from '../io/postgres/cluster/open-cluster-database.ts';
import { PostgresProcessBoard } from '../io/postgres/cluster/process-board.ts';
import { Endings } from './endings.ts';
import { openClusterStore } from './open-cluster.ts';

/** A hub in a database, for a verb that does one thing and ends. */
export interface SharedHub extends AsyncDisposable {
  /** Starts with everything in the database and follows it from then on. Its writes go through the journal, and all processes are notified. */
  readonly store: ClusterHubStore;
  /** The database without its password, for messages. */
  readonly shown: string;
  /** The processes that reported recently. */
  processes(): Promise<readonly ProcessView[]>;
  /** The pauses that hosts asked for, of all processes. */
  hosts(): Promise<HostMemory>;
}

/** A copy of the data folder of such a hub, which can be read like any other. */
export interface SharedHubCopy extends AsyncDisposable {
  readonly folder: string;
  readonly shown: string;
}

export interface SharedHubOptions {
  readonly url: string;
  /** With `read`, no missing tables are created. */
  readonly access: 'read' | 'write';
}

/** Not a process of the hub, and not listed on its board. */
const VISITOR = { id: 'visitor', kind: 'visitor' };
const CONNECTIONS = 3;
/** A process that was silent for this long counts as gone. */
const GONE_AFTER_SECONDS = 15;

/** Copies the hub into a temporary folder, which is deleted on dispose. Fails if the database does not answer, instead of waiting for it. */
export async function openSharedHub(options: SharedHubOptions): Promise<SharedHub> {
  const endings = new Endings();
  try {
    const database = endings.use(await visit(options));
    const { path } = endings.use(await openScratchFolder('tidings-copy'));
    const store = endings.use(await openCopy(path, database));
    const board = new PostgresProcessBoard(database, VISITOR);
    return {
      store,
      shown: database.shown,
      processes: async () => (await board.all()).map(viewProcess),
      hosts: () => openPostgresHostMemory(database, { nowMs: Date.now() }),
      [Symbol.asyncDispose]: () => endings.run(),
    };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

/** For readers of a data folder. Nobody writes to the copy any more. */
export async function copySharedHub(url: string): Promise<SharedHubCopy> {
  await using database = await visit({ url, access: 'read' });
  const folder = await openScratchFolder('tidings-copy');
  try {
    await (await openCopy(folder.path, database))[Symbol.asyncDispose]();
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
  return { folder: folder.path, shown: database.shown, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Whether a process of the hub is running. */
export function isAnyAlive(processes: readonly ProcessView[]): boolean {
  return processes.some(({ silentSeconds }) => silentSeconds < GONE_AFTER_SECONDS);
}

async function visit({ url, access }: SharedHubOptions): Promise<ClusterDatabase> {
  const options = { url, applicationName: 'tidings verb', maxConnections: CONNECTIONS };
  return await visitClusterDatabase(options, { mayBegin: access === 'write' });
}

/** With everything that the journal has now. */
async function openCopy(folder: string, database: ClusterDatabase): Promise<ClusterHubStore> {
  let fail = (_error: unknown) => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const store = await openClusterStore({
    journal: new PostgresJournal(database),
    bases: new PostgresBases(database),
    folder,
    keepsFeeds: false,
    onTrouble: (error) => fail(error),
    onEnd: (error) => fail(error),
  });
  try {
    await Promise.race([store.replica.current(), failed]);
    return store;
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}
