import { FolderError } from '../../errors/folder-error.ts';
import type { SqliteDatabase } from './database.ts';
import { holdsTable } from './has-table.ts';
import type { LogDatabase } from './log.ts';

/** One row, while the hub of a data folder is on its way into a database: from before that knows of it until the folder is a replica. */
const SCHEMA = `CREATE TABLE IF NOT EXISTS hub_moving (
  one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL, place TEXT NOT NULL
) STRICT`;

export interface HubMove {
  /** The name that the history of the hub gets there. */
  readonly epoch: string;
  /** For messages: the target of the move, without a password. */
  readonly place: string;
}

/** A hub that may already be in a database must not continue here: refuses writers. */
export function ensureStays(database: SqliteDatabase, file: string): void {
  const move = findMove(database);
  if (move === undefined) return;
  const remedy =
    'Run the same tidings migrate again: it brings the move to its end. If that database is lost for good: tidings migrate <folder> --stay.';
  throw new FolderError(file, `this hub was on its way to ${move.place} when that was cut off. ${remedy}`);
}

export function findMove(database: SqliteDatabase): HubMove | undefined {
  if (!holdsTable(database, 'hub_moving')) return undefined;
  return database.prepare('SELECT epoch, place FROM hub_moving').get() as HubMove | undefined;
}

/** Durable when it returns. */
export function beginMove({ database, log }: LogDatabase, { epoch, place }: HubMove): void {
  log.appendWith([], () => {
    database.exec(SCHEMA);
    database.prepare('INSERT OR REPLACE INTO hub_moving (one, epoch, place) VALUES (1, ?, ?)').run(epoch, place);
  });
}

/** In one step with what `also` writes. */
export function endMove({ database, log }: LogDatabase, also: () => void = () => {}): void {
  log.appendWith([], () => {
    database.exec('DROP TABLE IF EXISTS hub_moving');
    also();
  });
}
