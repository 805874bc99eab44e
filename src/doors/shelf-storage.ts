import { join } from 'node:path';
import { READER_STORAGE } from '../dialects/agent-feed/read/reader-storage.ts';
import { KNOWN_SURFACES, SURFACE_FILES } from '../dialects/agent-feed/shelf/shelf.ts';
import { FEED_STORE } from '../dialects/aicf/shelf/feed-store.ts';
import { ATOM_STORE } from '../dialects/atom/shelf/atom-store.ts';
import { RUN_STORE } from '../dialects/diffdelta/shelf/run-store.ts';
import type { ShelfStorage } from '../dialects/shelf-storage.ts';
import { type CosignNote, TLOG_PLACE } from '../dialects/tlog/shelf/tlog-store.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { openFeedFolder } from '../io/feeds/feed-folder.ts';
import { createFileSurfaceFiles } from '../io/files/surface-files.ts';
import { randomSecretBytes } from '../io/node/random-token.ts';
import { openSqliteAtomStore, readSqliteAtomStore } from '../io/sqlite/atom-store.ts';
import { openSqliteRuns, readSqliteRuns } from '../io/sqlite/runs.ts';
import { openSqliteTlogStore, readSqliteTlogStore } from '../io/sqlite/tlog-store.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { gunzipDocument } from '../io/zlib/document.ts';
import { submissionOf } from '../witness/submit-checkpoint.ts';
import { type CosignerLogger, hubCosigner } from './witnesses.ts';

/** The subfolder of a data folder with the feeds that are served from files. */
export const FEEDS_FOLDER = 'feeds';

const TLOG_WAYS = { random: randomSecretBytes, gunzip: gunzipDocument };

/** Where each dialect keeps its documents in the data folder of a hub. The only place in this folder that knows the dialects by name. */
export function shelfStorage(
  config: Pick<HubConfig, 'data' | 'surface'> & WitnessedConfig,
  store: WholeHubStore,
  logger: CosignerLogger,
): ShelfStorage {
  const { data, surface } = config;
  const cosignNote = cosignOf(config, logger);
  const storage: ShelfStorage = {};
  FEED_STORE.put(storage, () => openFeedFolder(join(data, FEEDS_FOLDER), { lost: () => store.lost }));
  RUN_STORE.put(storage, () => store.openTables(openSqliteRuns));
  ATOM_STORE.put(storage, () => store.openTables(openSqliteAtomStore));
  TLOG_PLACE.put(storage, () => ({ ...TLOG_WAYS, store: store.openTables(openSqliteTlogStore), cosignNote }));
  KNOWN_SURFACES.put(storage, () => store.storage(READER_STORAGE));
  if (surface !== undefined) {
    const onTrouble = (path: string, reason: string) =>
      logger.error({ path, reason }, 'A file of the surface cannot be served');
    SURFACE_FILES.put(storage, () => createFileSurfaceFiles(surface.dir, { onTrouble }));
  }
  return storage;
}

type WitnessedConfig = Parameters<typeof hubCosigner>[0];

function cosignOf(config: WitnessedConfig, logger: CosignerLogger): CosignNote | undefined {
  const cosign = hubCosigner(config, logger);
  return cosign && ((note, tiles, signal) => cosign(submissionOf(note, tiles), signal));
}

/** The same for a reader, even beside the hub that writes. Storage that no hub has created yet is absent. */
export function readableStorage(
  { data, surface }: Pick<HubConfig, 'data' | 'surface'>,
  store: WholeHubStore,
): ShelfStorage {
  const storage: ShelfStorage = {};
  const runs = store.openTables(readSqliteRuns);
  const atom = store.openTables(readSqliteAtomStore);
  FEED_STORE.put(storage, () => openFeedFolder(join(data, FEEDS_FOLDER)));
  if (runs !== undefined) RUN_STORE.put(storage, () => runs);
  if (atom !== undefined) ATOM_STORE.put(storage, () => atom);
  const tlog = store.openTables(readSqliteTlogStore);
  if (tlog !== undefined) TLOG_PLACE.put(storage, () => ({ ...TLOG_WAYS, store: tlog }));
  if (surface !== undefined) SURFACE_FILES.put(storage, () => createFileSurfaceFiles(surface.dir));
  return storage;
}
