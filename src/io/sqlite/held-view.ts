import type { LogDatabase } from './log.ts';

/**
 * All that is read from now on is of one moment, whatever the hub writes beside it. For a connection that only reads. The hub cannot
 * shorten its write-ahead log while a view is held: let go of it soon.
 */
export function holdView({ log, database }: Pick<LogDatabase, 'log' | 'database'>): Disposable {
  log.ask(() => {
    database.exec('BEGIN');
    // A transaction sees the database as of its first read.
    database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
  });
  return { [Symbol.dispose]: () => log.ask(() => database.exec('COMMIT')) };
}
