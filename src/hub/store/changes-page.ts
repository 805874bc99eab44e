import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import type { Change } from '../../model/change.ts';
import type { ChangesPage, StreamedChange } from '../../stream/change-stream.ts';
import { encodeCursor } from '../../stream/log-cursor.ts';
import type { HubStore } from './hub-store.ts';

/** A request for one page of the log, with the position of its cursor. */
export interface PageOfLog {
  readonly source?: string | undefined;
  readonly limit: number;
  /** The change that the cursor names, or the start of the log. Undefined if the log was never cut and no cursor was given. */
  readonly start: Pick<Change, 'seq' | 'id'> | undefined;
  /** The epoch of the log, for the cursor of the next page. */
  readonly epoch: string | undefined;
  /** The newest change at the time of the request. Later changes are left to the next page, so that no cursor skips them. */
  readonly newest: Pick<Change, 'seq' | 'id'> | undefined;
}

/** Reads the changes after a cursor, and gives the cursor of the next page. */
export async function readChangesPage(
  { source, limit, start, epoch, newest }: PageOfLog,
  store: Pick<HubStore, 'changes'>,
): Promise<ChangesPage> {
  const from = start?.seq ?? 0;
  if (newest === undefined || newest.seq <= from) {
    return { changes: [], next: start === undefined ? null : encodeCursor(start.id, epoch) };
  }

  const changes: StreamedChange[] = [];
  const range = { after: from, limit, ...(source !== undefined && { source }) };
  for await (const change of store.changes(range)) {
    if (change.seq > newest.seq) break;
    changes.push({ ...change, boundary: boundaryOf(change) });
  }
  // A page that is not full has read the whole log, even if it has no changes of this source.
  const next = changes.length < limit ? newest.id : (changes.at(-1)?.id ?? newest.id);
  return { changes, next: encodeCursor(next, epoch) };
}
