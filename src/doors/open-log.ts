import { openSqliteLog } from '../io/sqlite/log.ts';
import type { Log, Snapshots } from '../log/log.ts';

export interface OpenLogOptions {
  /** The data folder. A writer creates it if it does not exist. */
  readonly data: string;
  /** Read beside a writer, which may be another process. */
  readonly readonly?: boolean;
}

/**
 * Opens the log in a data folder.
 *
 * One writer at a time: a second one fails with `LogLockedError`. A reader of a folder without a log
 * fails with `LogMissingError`.
 *
 * @example
 * const log = await openLog({ data: './data' });
 * const [change] = await log.append([{ source: 'docs', action: 'update', url: 'https://docs.example/' }]);
 * for await (const { seq, url } of log.read({ after: 0 })) console.log(seq, url);
 * await log.close();
 */
export async function openLog(options: OpenLogOptions): Promise<Log & { readonly snapshots: Snapshots }> {
  return openSqliteLog({ folder: options.data, readonly: options.readonly ?? false });
}
