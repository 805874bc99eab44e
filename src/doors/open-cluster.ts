import { join } from 'node:path';
import { openFeedGenerations } from '../dialects/aicf/shelf/feed-generations.ts';
import type { AtomWrite } from '../dialects/atom/shelf/atom-store.ts';
import type { RunWrite } from '../dialects/diffdelta/shelf/run-store.ts';
import type { TlogWrite } from '../dialects/tlog/shelf/tlog-store.ts';
import { isJournalCut } from '../errors/database-error.ts';
import { LogUnavailableError } from '../errors/log-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { Bases } from '../hub/cluster/bases.ts';
import type { Journal } from '../hub/cluster/journal.ts';
import { Replica } from '../hub/cluster/replica.ts';
import { ClusterHubStore } from '../io/cluster/cluster-store.ts';
import { fillReplica, holdsDatabase, makeBaseWhereNeeded } from '../io/cluster/fill-replica.ts';
import { LocalReplica } from '../io/cluster/local-replica.ts';
import { LogCuts } from '../io/cluster/log-cuts.ts';
import { openFeedFolder } from '../io/feeds/feed-folder.ts';
import { openLogArchives } from '../io/files/log-archives.ts';
import { repeat } from '../io/node/timer-alarm.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteAdminLog } from '../io/sqlite/admin-log.ts';
import { openSqliteAlerts } from '../io/sqlite/alerts.ts';
import { openSqliteAtomStore } from '../io/sqlite/atom-store.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import type { LogDatabase } from '../io/sqlite/log.ts';
import { openSqliteRuns } from '../io/sqlite/runs.ts';
import { openSqliteSessions } from '../io/sqlite/sessions.ts';
import { openShelfSteps } from '../io/sqlite/shelf-steps.ts';
import { openSqliteTlogStore } from '../io/sqlite/tlog-store.ts';
import { SqliteTopics } from '../io/sqlite/topics.ts';
import { openSqliteWebhooks } from '../io/sqlite/webhooks.ts';
import { openSqliteWebSub } from '../io/sqlite/websub-store.ts';
import { FEEDS_FOLDER } from './shelf-storage.ts';

/** Stores that are written in steps beside the hub's own tables. Every process has all of them, because each replica is complete. */
const STEP_STORES: readonly ((opened: LogDatabase) => unknown)[] = [
  (opened) => openSqliteAdminLog(opened),
  (opened) => openSqliteAlerts(opened),
  openSqliteSessions,
  (opened) => new SqliteTopics(opened),
  openSqliteWebhooks,
  openSqliteWebSub,
  (opened) => {
    const atom = openSqliteAtomStore(opened);
    openShelfSteps(opened, 'atom', (step) => atom.write(step as AtomWrite));
  },
  (opened) => {
    const runs = openSqliteRuns(opened);
    openShelfSteps(opened, 'diffdelta', (step) => runs.write(step as RunWrite));
  },
  (opened) => {
    const tlog = openSqliteTlogStore(opened);
    openShelfSteps(opened, 'tlog', (step) => tlog.write(step as TlogWrite));
  },
];

/** The subfolder of a data folder with the archives that were cut off the log. */
export const ARCHIVE_FOLDER = 'archive';
const BASE_LOOKED_FOR_EVERY_MS = 5 * 60_000;

export interface OpenClusterOptions {
  /** Owned by the store from now on, and closed with it. */
  readonly journal: Journal;
  /** The bases of the same hub, with which a new replica begins. */
  readonly bases?: Bases | undefined;
  /** The folder of the replica. */
  readonly folder: string;
  readonly excerpts?: boolean | undefined;
  /**
   * Whether the folder has the feeds that are served from files. Default: true. Only a process with feeds makes bases for others, since feeds cannot be rebuilt
   * from a log that was cut.
   */
  readonly keepsFeeds?: boolean | undefined;
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  /** Called when the replica cannot continue: this process must stop and say why. */
  readonly onEnd?: ((error: unknown) => void) | undefined;
}

/**
 * Opens the replica of a process, which follows the journal from then on. An empty folder, or one too old to be updated, is filled with the newest base; both
 * need the journal. Any other folder opens without it. The replica may be behind: see `replica.current()`.
 */
export async function openClusterStore(options: OpenClusterOptions): Promise<ClusterHubStore> {
  const { journal, folder, bases } = options;
  if (bases !== undefined && !holdsDatabase(folder)) await fillReplica(folder, bases);
  const replica = await openReplica(options);
  if (bases === undefined || !(await isTooOld(replica, journal))) return replica.start();
  await replica.close();
  await fillReplica(folder, bases);
  return (await openReplica(options)).start();
}

interface OpenedReplica {
  readonly rev: number;
  start(): ClusterHubStore;
  close(): Promise<void>;
}

async function openReplica({
  journal,
  bases,
  folder,
  excerpts,
  keepsFeeds = true,
  onTrouble,
  onEnd,
}: OpenClusterOptions): Promise<OpenedReplica> {
  const local = await openSqliteHubStore({ folder, excerpts, isReplica: true });
  try {
    const cuts = new LogCuts({
      store: local,
      archives: openLogArchives(join(folder, ARCHIVE_FOLDER)),
      openDocuments: keepsFeeds ? () => openFeeds(folder, local) : undefined,
    });
    const applied = new LocalReplica(local.tables, cuts);
    const end = applied.standing() === undefined ? await journal.end() : undefined;
    const replica = new Replica({ journal, store: applied, now: Date.now, wait, onTrouble, onEnd }, end);
    let keeping: Disposable | undefined;
    const onClose = () => keeping?.[Symbol.dispose]();
    const store = new ClusterHubStore({ journal, local, applied, replica, cuts, excerpts, onClose });
    for (const open of STEP_STORES) store.openTables(open);
    return {
      rev: replica.rev,
      start: () => {
        replica.start();
        keeping = keepsFeeds ? bases && keepBase(folder, bases, onTrouble) : undefined;
        return store;
      },
      close: () => local[Symbol.asyncDispose](),
    };
  } catch (error) {
    await local[Symbol.asyncDispose]();
    throw error;
  }
}

/** The feeds of a server that has not started yet. */
function openFeeds(folder: string, store: SqliteHubStore) {
  return openFeedGenerations({
    stores: openFeedFolder(join(folder, FEEDS_FOLDER)),
    readChanges: (after) => store.changes({ after }),
    logStart: () => store.logStart(),
  });
}

/** Whether the next entries it needs are only in a base. While the journal is unavailable, the replica counts as able to continue. */
async function isTooOld(replica: OpenedReplica, journal: Journal): Promise<boolean> {
  try {
    await journal.read(replica.rev, 1);
    return false;
  } catch (error) {
    if (error instanceof LogUnavailableError) return false;
    if (isJournalCut(error)) return true;
    await replica.close();
    throw error;
  }
}

/** Checks from time to time whether a new process would have to read much. One process that makes a base is enough. */
function keepBase(folder: string, bases: Bases, onTrouble: OpenClusterOptions['onTrouble']): Disposable {
  let isOver = false;
  const cancel = repeat(BASE_LOOKED_FOR_EVERY_MS, async () => {
    try {
      await makeBaseWhereNeeded(folder, bases);
    } catch (error) {
      if (isOver) return;
      if (!(error instanceof TidingsError)) throw error;
      onTrouble?.(error);
    }
  });
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      cancel();
    },
  };
}
