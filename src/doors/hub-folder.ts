import { LogLockedError, LogMissingError } from '../errors/log-error.ts';
import { hubRunningError } from '../errors/refusals.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { openOwnFolder } from './own-folder.ts';

/** The data folder of a hub that does not run; to read from, also of one that does. Undefined where there is nothing to read yet. */
export async function openHubFolder(folder: string, readonly: boolean): Promise<SqliteHubStore | undefined> {
  try {
    return readonly ? await openSqliteHubStore({ folder, readonly }) : await openOwnFolder({ folder });
  } catch (error) {
    if (readonly && error instanceof LogMissingError) return undefined;
    throw error instanceof LogLockedError ? hubRunningError(folder, error) : error;
  }
}
