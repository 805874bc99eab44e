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
  /** Called with a description before each step that may take a while. */
  readonly onStep?: (words: string) => void;
}

export interface MigratedHub {
  readonly changes: number;
  readonly sources: number;
  /** The database without its password, for messages. */
  readonly database: string;
}

/** A process that was silent for this long counts as gone. */
const GONE_AFTER_MS = 15_000;

/**
 * Moves the hub of a data folder into an empty database, as the first base of its journal, without conversion. From then on the folder is a replica of it.
 * Fails with `LogLockedError` beside a running hub, and changes nothing if the database already holds a hub. If it is interrupted, the next call completes it.
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

/**
 * For an operator who is certain that no database holds the hub of a folder that was being moved into one: makes it an independent hub again. Returns whether
 * it was being moved.
 */
export async function stayInFolder(folder: string): Promise<boolean> {
  if (!holdsDatabase(folder)) throw new LogMissingError(join(folder, DATABASE_FILE));
  await using store = await openSqliteHubStore({ folder, mayCreate: false, isMoving: true });
  const { opened } = store.tables;
  const isMoving = findMove(opened.database) !== undefined;
  if (isMoving) endMove(opened);
  return isMoving;
}

/**
 * Makes an independent hub in a data folder from a hub in a database: a complete replica that no longer follows the journal. The folder must be empty or a
 * replica of that hub. Fails while processes of the hub run: what they write later would be missing.
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
