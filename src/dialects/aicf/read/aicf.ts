import { parseTime } from '../../../codecs/primitives/time.ts';
import type { ReaderPorts } from '../../reader.ts';
import { readFilesAfter } from './catch-up.ts';
import type { Entry } from './discover.ts';
import { eventsOf, type Piece, type Wanted } from './feed-events.ts';
import { openArchive, openFeed, openTail } from './open-feed.ts';

/** Where a reading begins: after an id; events that claim to be older than the time are skipped. */
export interface Start {
  readonly lastId: string | undefined;
  readonly timeMs: number | undefined;
}

/**
 * The events that a source has added since the last id, oldest first (AICF-C3).
 *
 * By position if the file is the known one; otherwise after the line of the last id, in the current file or an earlier one; otherwise by comparing
 * ids, with a warning (T-AICF-7, T-AICF-8). Without a last id: all events.
 */
export async function* readAicf(entry: Entry, { lastId, timeMs }: Start, ports: ReaderPorts): AsyncGenerator<Piece> {
  const { self, archives = [] } = entry.discovery;
  const known = entry.known?.feed;
  const wanted: Wanted = ({ time }) => timeMs === undefined || (parseTime(time) ?? timeMs) >= timeMs;
  if (known?.url === self && (known.position !== undefined || lastId === undefined)) {
    const tail = await openTail(known, ports);
    if (tail.kind === 'unchanged') return yield { changes: [], feed: known, freshMs: tail.maxAgeMs };
    if (tail.kind === 'file') return yield* eventsOf(tail.file, ports, wanted);
  }

  const earlier = archives.filter((url) => url !== self);
  const files = [...earlier.map((url) => () => openArchive(url, ports)), () => openFeed(self, ports)];
  yield* readFilesAfter({ lastId, self, hadEvents: hadEvents(entry), wanted }, files, ports);
}

/** A mere id may come from the user; a position, or none while an earlier file is read, comes from an event. */
function hadEvents({ known }: Entry): boolean {
  if (known?.lastId === undefined) return false;
  return known.feed === undefined || known.feed.position !== undefined;
}
