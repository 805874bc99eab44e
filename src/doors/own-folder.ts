import { join } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import type { PublishedDocuments } from '../dialects/shelf.ts';
import type { ShelfStorage } from '../dialects/shelf-storage.ts';
import { LogLostError, LogMissingError } from '../errors/log-error.ts';
import { feedNamesIn } from '../io/feeds/feed-folder.ts';
import { ensureSound } from '../io/sqlite/examination.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { DATABASE_FILE, type SqliteLogOptions } from '../io/sqlite/log.ts';
import { FEEDS_FOLDER } from './shelf-storage.ts';

/**
 * Opens the data folder of a hub for its one writer. An empty folder gets a new log, but never one with feeds: a missing log fails with {@link LogLostError}, a
 * damaged one with `StateCorruptError`.
 */
export async function openOwnFolder(options: SqliteLogOptions): Promise<SqliteHubStore> {
  const { folder } = options;
  // Feeds first: their writer has created the database before them.
  const hasFeeds = (await feedNamesIn(join(folder, FEEDS_FOLDER))).length > 0;
  await ensureSound(folder);
  try {
    return await openSqliteHubStore({ ...options, mayCreate: !hasFeeds });
  } catch (error) {
    if (!(error instanceof LogMissingError)) throw error;
    throw new LogLostError(folder, `${DATABASE_FILE} is missing or empty`);
  }
}

/** Fails with {@link LogLostError} if a published change is not in the log: the log was reset to an earlier state, or is another one. */
export async function ensureLogHoldsFeeds(
  folder: string,
  store: Pick<SqliteHubStore, 'changeById' | 'logStart'>,
  published: readonly PublishedDocuments[],
): Promise<void> {
  for (const documents of published) {
    const newest = await documents.newestId();
    if (newest === undefined || (await store.changeById(newest)) !== undefined) continue;
    // Cut off by retention: it is in an archive.
    if (newest <= (store.logStart()?.id ?? '')) continue;
    throw new LogLostError(
      folder,
      `${DATABASE_FILE} is older than its feeds or of another hub: it has no change ${newest}`,
    );
  }
}

/** The published documents of every dialect that are on disk outside the database. */
export async function publishedDocuments(
  dialects: readonly Dialect[],
  storage: ShelfStorage,
): Promise<readonly PublishedDocuments[]> {
  const found: PublishedDocuments[] = [];
  for (const { shelf } of dialects) {
    const documents = shelf === undefined ? undefined : (await shelf()).published?.(storage);
    if (documents !== undefined) found.push(documents);
  }
  return found;
}
