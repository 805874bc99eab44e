import type { FeedItem } from '../../../follow/read/feed-item.ts';
import type { Reading } from '../../../follow/read/reading.ts';
import { readFilesAfter } from './catch-up.ts';
import type { Entry } from './discover.ts';
import { eventsOf } from './feed-events.ts';
import { openArchive, openFeed, openTail } from './open-feed.ts';

/**
 * The events that a source has added since `lastId`, oldest first (AICF-C3).
 *
 * By position where the file is the one we know; else behind the line of the last id, in the current file or an
 * earlier one; else by comparing ids, with a warning (T-AICF-7, T-AICF-8). Without a last id: everything there is.
 */
export async function* readAicf(entry: Entry, lastId: string | undefined, reading: Reading): AsyncGenerator<FeedItem> {
  const { self, archives = [] } = entry.discovery;
  const known = entry.known?.feed;
  if (known?.url === self && (known.position !== undefined || lastId === undefined)) {
    const tail = await openTail(known, reading);
    if (tail.kind === 'unchanged') return yield { kind: 'end', progress: { feed: known }, freshMs: tail.maxAgeMs };
    if (tail.kind === 'file') return yield* eventsOf(tail.file, reading, () => true);
  }

  const earlier = archives.filter((url) => url !== self);
  const files = [...earlier.map((url) => () => openArchive(url, reading)), () => openFeed(self, reading)];
  yield* readFilesAfter({ lastId, self, hadEvents: hadEvents(entry) }, files, reading);
}

/** An id alone may be one that the user named; a position, or none while an earlier file is read, comes from an event. */
function hadEvents({ known }: Entry): boolean {
  if (known?.lastId === undefined) return false;
  return known.feed === undefined || known.feed.position !== undefined;
}
