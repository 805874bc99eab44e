import type { LogDatabase } from './log.ts';

/** Whether a hub made that table: whoever only reads makes none. */
export function hasTable({ log, database }: Pick<LogDatabase, 'log' | 'database'>, name: string): boolean {
  return log.ask(() => database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name)) !== undefined;
}
