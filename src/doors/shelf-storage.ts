import { join } from 'node:path';
import { READER_STORAGE } from '../dialects/agent-feed/read/reader-storage.ts';
import { KNOWN_SURFACES, SURFACE_FILES } from '../dialects/agent-feed/shelf/shelf.ts';
import { FEED_STORE } from '../dialects/aicf/shelf/feed-store.ts';
import { ATOM_STORE } from '../dialects/atom/shelf/atom-store.ts';
import { RUN_STORE } from '../dialects/diffdelta/shelf/run-store.ts';
import type { ShelfStorage } from '../dialects/shelf-storage.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { openFeedFolder } from '../io/feeds/feed-folder.ts';
import { createFileSurfaceFiles } from '../io/files/surface-files.ts';
import { openSqliteAtomStore } from '../io/sqlite/atom-store.ts';
import type { SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { openSqliteRuns } from '../io/sqlite/runs.ts';

/** Of a data folder: the feeds that are served from files. */
export const FEEDS_FOLDER = 'feeds';

/** Where each dialect keeps its documents in the data folder of a hub: the only place here that knows them by name. */
export function shelfStorage(
  { data, surface }: Pick<HubConfig, 'data' | 'surface'>,
  store: SqliteHubStore,
  logger: Pick<HubLogger, 'error'>,
): ShelfStorage {
  const storage: ShelfStorage = {};
  FEED_STORE.put(storage, () => openFeedFolder(join(data, FEEDS_FOLDER), { lost: () => store.lost }));
  RUN_STORE.put(storage, () => store.openTables(openSqliteRuns));
  ATOM_STORE.put(storage, () => store.openTables(openSqliteAtomStore));
  KNOWN_SURFACES.put(storage, () => store.storage(READER_STORAGE));
  if (surface !== undefined) {
    const onTrouble = (path: string, reason: string) =>
      logger.error({ path, reason }, 'A file of the surface cannot be served');
    SURFACE_FILES.put(storage, () => createFileSurfaceFiles(surface.dir, { onTrouble }));
  }
  return storage;
}
