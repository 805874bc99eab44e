import type { LogStart } from '../../log/log-start.ts';
import { inTransaction, type SqliteDatabase } from './database.ts';

/** One row, once the log was cut. */
const SCHEMA = `CREATE TABLE IF NOT EXISTS log_start (
  one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, id TEXT NOT NULL
) STRICT`;
/** How many rows leave the log in one transaction, so that other work gets its turn. */
const ROWS_AT_ONCE = 1000;

/** Where the log in a database begins. Undefined while it was never cut. */
export function readLogStart(database: SqliteDatabase): LogStart | undefined {
  const isThere = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'log_start'`).get() !== undefined;
  if (!isThere) return undefined;
  return database.prepare('SELECT seq, id FROM log_start').get() as LogStart | undefined;
}

/** Sets the new start of the log. {@link dropCutChanges} drops what is before it, even after a crash. */
export function moveLogStart(database: SqliteDatabase, seq: number): LogStart {
  const before = readLogStart(database);
  if (before !== undefined && before.seq >= seq) return before;
  const row: unknown = database.prepare('SELECT id FROM changes WHERE seq = ?').get(seq);
  if (row === undefined) throw new Error(`The log has no change ${seq} to be cut behind.`);
  const start = { seq, id: (row as { readonly id: string }).id };
  inTransaction(database, () => {
    database.exec(SCHEMA);
    database.prepare('INSERT OR REPLACE INTO log_start (one, seq, id) VALUES (1, ?, ?)').run(start.seq, start.id);
  });
  return start;
}

/** Drops some of the changes before the start of the log. Whether there may be more. */
export function dropCutChanges(database: SqliteDatabase): boolean {
  const start = readLogStart(database);
  if (start === undefined) return false;
  const first = database.prepare('SELECT min(seq) AS seq FROM changes').get() as { readonly seq: number | null };
  if (first.seq === null || first.seq > start.seq) return false;
  const upTo = Math.min(start.seq, first.seq + ROWS_AT_ONCE - 1);
  inTransaction(database, () => database.prepare('DELETE FROM changes WHERE seq <= ?').run(upTo));
  return upTo < start.seq;
}
