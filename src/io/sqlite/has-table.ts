import type { SqliteDatabase } from './database.ts';
import type { LogDatabase } from './log.ts';

/** Whether a hub made that table: readers make none. */
export function hasTable({ log, database }: Pick<LogDatabase, 'log' | 'database'>, name: string): boolean {
  return log.ask(() => holdsTable(database, name));
}

/** The same of a database without a log, or before that is open. */
export function holdsTable(database: SqliteDatabase, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}
