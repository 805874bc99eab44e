import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import type { Change } from '../../model/change.ts';
import type { ChangesPage, StreamedChange } from '../../stream/change-stream.ts';
import { encodeCursor } from '../../stream/log-cursor.ts';
import type { HubStore } from './hub-store.ts';

/** What is asked of the log, with the place where the cursor stands. */
export interface PageOfLog {
  readonly source?: string | undefined;
  readonly limit: number;
  /** The change that the cursor names, or where the log begins; undefined where it was never cut and no cursor given. */
  readonly start: Pick<Change, 'seq' | 'id'> | undefined;
  /** That of the log, for the cursor of the next page. */
  readonly epoch: string | undefined;
  /** The newest change when the page was asked for: what is appended meanwhile is left to the next page, so that no cursor runs past it. */
  readonly newest: Pick<Change, 'seq' | 'id'> | undefined;
}

/** The changes behind a cursor, and where to go on. */
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
  // A page that is not full has seen the whole log, also where the source was silent.
  const next = changes.length < limit ? newest.id : (changes.at(-1)?.id ?? newest.id);
  return { changes, next: encodeCursor(next, epoch) };
}
