import { countItems } from '../jobs/count-items.ts';
import type { JobBoard, TellProgress } from '../jobs/job-board.ts';
import type { HubShelves } from '../shelves/hub-shelves.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { LogArchive, LogArchives } from './log-archives.ts';

export interface ArchiveParts {
  readonly store: Pick<HubStore, 'changes' | 'lastChange' | 'logStart' | 'cutLog'>;
  readonly shelves: Pick<HubShelves, 'seq' | 'secure' | 'rebegin'>;
  readonly archives: Pick<LogArchives, 'write'>;
  /** Where a cut that takes its time is shown. */
  readonly jobs?: JobBoard;
}

/**
 * Removes the changes up to `seq` from the log: documents are secured, the changes are archived, the log is cut, then documents begin anew. Wherever this
 * stops, nothing is lost: at worst an archive holds what is also in the log.
 *
 * Undefined when there is nothing to take. Neither the newest change is, nor what a document does not have yet.
 */
export async function archiveLog(parts: ArchiveParts, seq: number): Promise<LogArchive | undefined> {
  const { store, shelves, archives } = parts;
  const begins = store.logStart()?.seq ?? 0;
  const newest = (await store.lastChange())?.seq ?? 0;
  const upTo = Math.min(seq, newest - 1, shelves.seq);
  if (upTo <= begins) {
    // Finishes an earlier cut that did not complete.
    if (begins > 0) await store.cutLog(begins);
    return undefined;
  }
  const total = upTo - begins;
  const cut = async (progress?: TellProgress) => {
    await shelves.secure();
    const archive = await archives.write(
      countItems(store.changes({ after: begins, limit: total }), (done) => progress?.(done)),
    );
    await store.cutLog(upTo);
    await shelves.rebegin();
    return archive;
  };
  return await (parts.jobs?.run({ what: 'Archiving the oldest changes', unit: 'changes', total }, cut) ?? cut());
}
