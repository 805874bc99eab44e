import { join } from 'node:path';
import { databaseRefusedError } from '../errors/database-error.ts';
import { LogMissingError } from '../errors/log-error.ts';
import type { ProcessBoard } from '../hub/cluster/process-board.ts';
import { holdsDatabase, moveToJournal } from '../io/cluster/fill-replica.ts';
import { plannedSource } from '../io/cluster/planned-source.ts';
import { PostgresBases } from '../io/postgres/cluster/bases.ts';
import type { ClusterDatabase } from '../io/postgres/cluster/cluster-database.ts';
import { PostgresJournal } from '../io/postgres/cluster/journal.ts';
import { openClusterDatabase } from '../io/postgres/cluster/open-cluster-database.ts';
import { PostgresProcessBoard } from '../io/postgres/cluster/process-board.ts';
import { ensureSound } from '../io/sqlite/examination.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../io/sqlite/log.ts';
import { endMove, findMove } from '../io/sqlite/move-mark.ts';
import { leaveJournal } from '../io/sqlite/replica-stamp.ts';
import { openClusterStore } from './open-cluster.ts';

export interface MigrateOptions {
  readonly folder: string;
  /** `postgres://user@host/database?schema=tidings`. */
  readonly url: string;
  /** Hears what is done, in words, before each part that may take its time. */
  readonly onStep?: (words: string) => void;
}

export interface MigratedHub {
  readonly changes: number;
  readonly sources: number;
  /** For messages: without a password. */
  readonly database: string;
}

/** A process that was silent for so long is gone. */
const GONE_AFTER_MS = 15_000;

/**
 * Moves the hub of a data folder into an empty database, as the first base of its journal: nothing is translated. The folder is a replica of it from
 * then on. Fails with `LogLockedError` beside a hub that runs, and leaves everything as it was where the database holds a hub already. Cut off on the way, it is
 * brought to its end by the next call.
 */
export async function migrateToDatabase({ folder, url, onStep }: MigrateOptions): Promise<MigratedHub> {
  await using database = await openClusterDatabase({ url });
  if (!holdsDatabase(folder)) throw new LogMissingError(join(folder, DATABASE_FILE));
  await ensureSound(folder);
  await using store = await openSqliteHubStore({ folder, mayCreate: false, isMoving: true });
  const [sources, last] = [await store.sources(), await store.lastChange()];
  onStep?.('copying the hub into the database');
  const journal = { folder, bases: new PostgresBases(database), place: database.shown };
  await moveToJournal(journal, store.tables.opened, {
    end: last,
    plan: sources.map((source) => plannedSource(source, source.health)),
  });
  return { changes: last?.seq ?? 0, sources: sources.length, database: database.shown };
}

/** Somebody is certain that no database holds the hub of a folder that was on its way into one: whether it was. It is a hub of its own again. */
export async function stayInFolder(folder: string): Promise<boolean> {
  if (!holdsDatabase(folder)) throw new LogMissingError(join(folder, DATABASE_FILE));
  await using store = await openSqliteHubStore({ folder, mayCreate: false, isMoving: true });
  const { opened } = store.tables;
  const isMoving = findMove(opened.database) !== undefined;
  if (isMoving) endMove(opened);
  return isMoving;
}

/**
 * Makes a hub of its own in a data folder of one that is kept in a database: a replica that has all, and follows nobody from then on. The folder is
 * empty, or a replica of that hub. Fails where processes of the hub still run: what they write from then on would be missing.
 */
export async function migrateFromDatabase({ folder, url, onStep }: MigrateOptions): Promise<MigratedHub> {
  await using database = await openClusterDatabase({ url });
  await ensureNobodyRuns(new PostgresProcessBoard(database, { id: 'migrate', kind: 'migrate' }), database.shown);
  onStep?.(holdsDatabase(folder) ? 'reading what the replica lacks' : 'reading the hub from the database');
  const migrated = await catchUp(folder, database);
  await using store = await openSqliteHubStore({ folder, isReplica: true });
  store.openTables(leaveJournal);
  return migrated;
}

async function catchUp(folder: string, database: ClusterDatabase): Promise<MigratedHub> {
  const [journal, bases] = [new PostgresJournal(database), new PostgresBases(database)];
  const { rev } = await journal.end();
  if (rev === 0 && (await bases.newest()) === undefined) {
    await journal[Symbol.asyncDispose]();
    throw databaseRefusedError(
      database.shown,
      'it holds no hub',
      'Name the one that the hub ran on, with its ?schema=.',
    );
  }
  await using store = await openClusterStore({ journal, bases, folder });
  await store.replica.current();
  const [sources, last] = [await store.sources(), await store.lastChange()];
  return { changes: last?.seq ?? 0, sources: sources.length, database: database.shown };
}

async function ensureNobodyRuns(board: ProcessBoard, shown: string): Promise<void> {
  const running = (await board.all()).filter(({ silentMs }) => silentMs < GONE_AFTER_MS);
  if (running.length === 0) return;
  const names = running.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  const remedy = `Stop them all, wait ${GONE_AFTER_MS / 1000} s, then run again.`;
  throw databaseRefusedError(shown, `processes of the hub still run (${names})`, remedy);
}
