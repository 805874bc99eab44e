import { LogMissingError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { Change } from '../../model/change.ts';
import { inTransaction, type SqliteDatabase } from './database.ts';
import { SNAPSHOTS_SCHEMA } from './snapshots.ts';

const VERSION = 1;
/**
 * `body` is the change without `seq` and `id`, as JSON. Ids rise with `seq`, so an id is found by
 * bisection over `seq`, and an append writes one tree only.
 */
const CHANGES_SCHEMA = 'CREATE TABLE changes (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT';

/** Checks that the database is a log that we know, and makes it one when it is new and `create` is set. */
export function ensureSchema(database: SqliteDatabase, file: string, { create }: { readonly create: boolean }): void {
  const { version, tables } = readShape(database);
  if (version === VERSION) return;
  if (version > VERSION) {
    const what = `it is in format ${version}, this Tidings knows ${VERSION}.`;
    throw new StateCorruptError(file, what, 'Upgrade Tidings, then run again.');
  }
  if (tables > 0) {
    throw new StateCorruptError(file, 'this database is not a log of ours.', 'Name another file or data folder.');
  }
  if (!create) throw new LogMissingError(file);
  inTransaction(database, () =>
    database.exec(`${CHANGES_SCHEMA}; ${SNAPSHOTS_SCHEMA}; PRAGMA user_version = ${VERSION}`),
  );
}

/** In one view of the database: a writer may be making it a log at this moment. */
function readShape(database: SqliteDatabase): { version: number; tables: number } {
  database.exec('BEGIN');
  try {
    const version = firstValue(database, 'PRAGMA user_version');
    return { version, tables: firstValue(database, 'SELECT count(*) FROM sqlite_schema') };
  } finally {
    database.exec('ROLLBACK');
  }
}

/** As the columns of their rows, one after another. */
export function changeRows(changes: readonly Change[]): (number | string)[] {
  const values: (number | string)[] = [];
  for (const change of changes) values.push(change.seq, change.id, encodeBody(change));
  return values;
}

/** Cut from the text of the whole change: an object without its first two keys takes longer to make than to write. */
export function encodeBody(change: Change): string {
  const start = `{"seq":${change.seq},"id":"${change.id}",`;
  return `{${JSON.stringify(change).slice(start.length)}`;
}

export function decodeRow(row: unknown, file: string): Change {
  const { seq, id, body } = row as { readonly seq: number; readonly id: string; readonly body: string };
  let change: Change;
  try {
    change = { seq, id, ...(JSON.parse(body) as Omit<Change, 'seq' | 'id'>) };
  } catch (error) {
    throw new StateCorruptError(file, `change ${seq} is not JSON.`, 'Restore the file from a backup.', {
      cause: error,
    });
  }
  return change;
}

function firstValue(database: SqliteDatabase, query: string): number {
  const [value] = Object.values(database.prepare(query).get() as Record<string, number>);
  return value ?? 0;
}
