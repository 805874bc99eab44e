import { DIALECTS } from '../dialects/registry.ts';
import type { PublishedChange, PublishedDocuments } from '../dialects/shelf.ts';
import { FolderError } from '../errors/folder-error.ts';
import { beginEpoch } from '../hub/log-epoch.ts';
import { randomEpoch } from '../io/node/random-token.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { addRecovered } from '../io/sqlite/recovered-changes.ts';
import { type RestorePlace, restoreDatabase } from '../io/sqlite/restore.ts';
import { publishedDocuments } from './own-folder.ts';
import { shelfStorage } from './shelf-storage.ts';

export interface Restored {
  /** Changes in the log now, those that were recovered included. */
  readonly changes: number;
  readonly lastChange?: string;
  /** Changes that were published behind the backup, taken from the feeds in the folder. */
  readonly recovered: number;
  /** Where the database that was there lies now. */
  readonly aside?: string;
}

/**
 * Brings a backup into a data folder. What was published behind the backup, and lies there in feeds, becomes part of the log
 * again, so that the feeds go on where they end and no cursor of a reader is lost.
 */
export async function restoreHub(backup: string, place: RestorePlace): Promise<Restored> {
  let restored: Restored = { changes: 0, recovered: 0 };
  const aside = await restoreDatabase(backup, place, async (stage) => {
    restored = await recover(stage, place);
  });
  return { ...restored, ...(aside !== undefined && { aside }) };
}

const SECOND_MS = 1000;
const NEVER = new AbortController().signal;

/** Adds to the staged log what the feeds of the folder tell beyond it. */
async function recover(stage: string, { folder }: RestorePlace): Promise<Restored> {
  await using store = await openSqliteHubStore({ folder: stage });
  await beginEpoch(store, randomEpoch());
  const storage = shelfStorage({ data: folder }, store, { error() {} });
  let recovered = 0;
  for (const documents of await publishedDocuments(DIALECTS, storage)) {
    const changes = await tailOf(documents, store, folder);
    store.openTables((opened) => addRecovered(opened, changes));
    recovered += changes.length;
  }
  const last = await store.lastChange();
  // Names of documents hold the second of a run: none that comes next may have one that was published before, here or elsewhere.
  await wait(SECOND_MS, NEVER);
  return { changes: last?.seq ?? 0, recovered, ...(last && { lastChange: last.id }) };
}

async function tailOf(
  documents: PublishedDocuments,
  store: SqliteHubStore,
  folder: string,
): Promise<readonly PublishedChange[]> {
  const last = await store.lastChange();
  const cutId = store.logStart()?.id ?? '';
  const lastId = last?.id ?? cutId;
  const { knownId = '', changes } = await documents.tailAfter(lastId);
  // What is published goes on behind the backup only where the backup ends in what is published.
  const isOfLog =
    changes.length > 0 ? knownId === lastId : knownId <= cutId || (await store.changeById(knownId)) !== undefined;
  if (isOfLog) return changes;
  const what = 'the feeds in it were published from another log than that of the backup.';
  throw new FolderError(folder, `${what} Nothing was written. Restore into an empty folder: readers then start anew.`);
}
