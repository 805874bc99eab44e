import { FolderError } from '../../errors/folder-error.ts';
import type { ReplicaStanding } from '../../hub/cluster/replica.ts';
import { openRawDatabase, type SqliteDatabase, type SqliteStatement } from './database.ts';
import { holdsTable } from './has-table.ts';
import type { LogDatabase } from './log.ts';

/** One row, once the data folder is a replica. `open_seq`: later changes belong to a run that is not complete yet. */
const SCHEMA = `CREATE TABLE IF NOT EXISTS hub_replica (
  one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL, rev INTEGER NOT NULL, mark TEXT, open_seq INTEGER
) STRICT`;

export interface Stamp extends ReplicaStanding {
  readonly openSeq?: number;
}

/** Only its journal writes a replica, and a separate hub never becomes one: refuses a mix-up of the two. */
export function ensureReplicaOrNot(database: SqliteDatabase, file: string, isReplica: boolean): void {
  const isOne = holdsTable(database, 'hub_replica');
  if (isOne && !isReplica) {
    const remedy =
      'Start it with --database, or make it a hub of its own: tidings migrate --from postgres://… --to <folder>.';
    throw new FolderError(file, `this is the replica of a hub that is kept in PostgreSQL. ${remedy}`);
  }
  if (
    isReplica &&
    !isOne &&
    database.prepare('SELECT 1 FROM changes UNION ALL SELECT 1 FROM hub_sources LIMIT 1').get() !== undefined
  ) {
    const remedy =
      'Move it there (tidings migrate <data folder> --to postgres://…), or name an empty folder with --data.';
    throw new FolderError(file, `this is a hub of its own, which is not in the database. ${remedy}`);
  }
}

/** Makes a replica a separate hub. */
export function leaveJournal({ database, log }: LogDatabase): void {
  log.appendWith([], () => database.exec('DROP TABLE hub_replica'));
}

/** The same in a copy of a replica, which is no writer's. Any other copy is left as it is. */
export async function leaveJournalIn(copy: string): Promise<void> {
  const database = await openRawDatabase(copy);
  try {
    database.exec('DROP TABLE IF EXISTS hub_replica; DROP TABLE IF EXISTS hub_moving');
  } finally {
    database.close();
  }
}

/** The position of a replica. Writes belong into a transaction of the caller. */
export class ReplicaStamp {
  readonly #find: SqliteStatement;
  readonly #put: SqliteStatement;

  /** For a database that may be written, or is a replica. */
  constructor(database: SqliteDatabase) {
    if (!holdsTable(database, 'hub_replica')) database.exec(SCHEMA);
    this.#find = database.prepare('SELECT epoch, rev, mark, open_seq FROM hub_replica');
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO hub_replica (one, epoch, rev, mark, open_seq) VALUES (1, ?, ?, ?, ?)',
    );
  }

  find(): Stamp | undefined {
    const row = this.#find.get() as StampRow | undefined;
    if (row === undefined) return undefined;
    const { epoch, rev, mark, open_seq: openSeq } = row;
    return { epoch, rev, ...(mark !== null && { mark }), ...(openSeq !== null && { openSeq }) };
  }

  put({ epoch, rev, mark, openSeq }: Stamp): void {
    this.#put.run(epoch, rev, mark ?? null, openSeq ?? null);
  }
}

interface StampRow {
  readonly epoch: string;
  readonly rev: number;
  readonly mark: string | null;
  readonly open_seq: number | null;
}
