import { join } from 'node:path';
import { LogLockedError, LogMissingError } from '../errors/log-error.ts';
import { hubRunningError } from '../errors/refusals.ts';
import { feedNamesIn } from '../io/feeds/feed-folder.ts';
import { kindOfFile } from '../io/files/kind.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../io/sqlite/log.ts';
import { openOwnFolder } from './own-folder.ts';
import { FEEDS_FOLDER } from './shelf-storage.ts';

/** The data folder of a hub that does not run; to read from, also of one that does. Undefined where there is no hub: nothing is made there. */
export async function openHubFolder(folder: string, readonly: boolean): Promise<SqliteHubStore | undefined> {
  if (!readonly) return (await holdsHub(folder)) ? await makeHubFolder(folder) : undefined;
  try {
    return await openSqliteHubStore({ folder, readonly });
  } catch (error) {
    if (error instanceof LogMissingError) return undefined;
    throw error;
  }
}

/** The data folder of a hub that does not run, to write to: a new one where there is none. */
export async function makeHubFolder(folder: string): Promise<SqliteHubStore> {
  try {
    return await openOwnFolder({ folder });
  } catch (error) {
    throw error instanceof LogLockedError ? hubRunningError(folder, error) : error;
  }
}

/** Also one whose database is gone and whose feeds are left. */
async function holdsHub(folder: string): Promise<boolean> {
  if ((await kindOfFile(join(folder, DATABASE_FILE))) !== undefined) return true;
  return (await feedNamesIn(join(folder, FEEDS_FOLDER))).length > 0;
}
