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
  /** The changes in the log now, including recovered ones. */
  readonly changes: number;
  readonly lastChange?: string;
  /** Changes that were published after the backup, recovered from the feeds in the folder. */
  readonly recovered: number;
  /** Where the former database was moved to. */
  readonly aside?: string;
}

/**
 * Restores a backup into a data folder. Changes published after the backup that are still in feeds there are added to the log again, so that the feeds continue
 * where they end and no reader's cursor is lost.
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

/** Adds the changes that are only in the feeds of the folder to the staged log. */
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
  // Document names contain the second of a run: no later one may reuse the name of one that was published before, here or elsewhere.
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
  // The published changes continue the backup only if the last change of the backup is among them.
  const isOfLog =
    changes.length > 0 ? knownId === lastId : knownId <= cutId || (await store.changeById(knownId)) !== undefined;
  if (isOfLog) return changes;
  const what = 'the feeds in it were published from another log than that of the backup.';
  throw new FolderError(folder, `${what} Nothing was written. Restore into an empty folder: readers then start anew.`);
}
