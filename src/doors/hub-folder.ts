import { join } from 'node:path';
import { LogLockedError, LogMissingError } from '../errors/log-error.ts';
import { hubRunningError } from '../errors/refusals.ts';
import { feedNamesIn } from '../io/feeds/feed-folder.ts';
import { kindOfFile } from '../io/files/kind.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../io/sqlite/log.ts';
import { openOwnFolder } from './own-folder.ts';
import { FEEDS_FOLDER } from './shelf-storage.ts';

/** Opens the data folder of a hub that is not running; read-only also that of a running one. Undefined if there is no hub: nothing is created. */
export async function openHubFolder(folder: string, readonly: boolean): Promise<SqliteHubStore | undefined> {
  if (!readonly) return (await holdsHub(folder)) ? await makeHubFolder(folder) : undefined;
  try {
    return await openSqliteHubStore({ folder, readonly });
  } catch (error) {
    if (error instanceof LogMissingError) return undefined;
    throw error;
  }
}

/** Opens the data folder of a hub that is not running for writing. Creates it if it does not exist. */
export async function makeHubFolder(folder: string): Promise<SqliteHubStore> {
  try {
    return await openOwnFolder({ folder });
  } catch (error) {
    throw error instanceof LogLockedError ? hubRunningError(folder, error) : error;
  }
}

/** Also true for a folder that has lost its database but still has feeds. */
async function holdsHub(folder: string): Promise<boolean> {
  if ((await kindOfFile(join(folder, DATABASE_FILE))) !== undefined) return true;
  return (await feedNamesIn(join(folder, FEEDS_FOLDER))).length > 0;
}
