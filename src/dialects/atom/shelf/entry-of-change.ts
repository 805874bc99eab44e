import type { Change } from '../../../model/change.ts';
import type { AtomShelf } from './atom-shelf.ts';
import { ARCHIVE_ENTRIES, type AtomArchiveName } from './atom-store.ts';

/** An entry in the feed of its source, or in an archive of it. */
export interface FoundEntry {
  readonly text: string;
  /** Absent if it is in the feed itself. */
  readonly archive?: AtomArchiveName;
}

/** A run has one entry for each collection that changed. No more than this are searched. */
const MOST_OF_MOMENT = 20;

/**
 * The entry of the run that a change belongs to; undefined if its archive has ended or there is none.
 *
 * Found by bisection: the entries of a feed are in order of time, and no other run of a source has the same time.
 */
export function entryOfChange(
  { source, time, url }: Change,
  shelf: Pick<AtomShelf, 'find' | 'entries' | 'archive' | 'endedArchives'>,
): FoundEntry | undefined {
  const entries = shelf.find(source)?.entries ?? 0;
  const first = shelf.endedArchives(source) * ARCHIVE_ENTRIES + 1;
  const wantedMs = Date.parse(time);
  let [low, high] = [first, entries + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [text = ''] = shelf.entries(source, middle, middle);
    if (updatedMs(text) < wantedMs) low = middle + 1;
    else high = middle;
  }
  const last = Math.min(entries, low + MOST_OF_MOMENT - 1);
  const ofMoment = (low > entries ? [] : shelf.entries(source, low, last)).filter(
    (text) => updatedMs(text) === wantedMs,
  );
  const place = Math.max(
    0,
    ofMoment.findIndex((text) => text.includes(url)),
  );
  const text = ofMoment[place];
  if (text === undefined) return undefined;
  const number = low + place;
  if (number > entries - ARCHIVE_ENTRIES) return { text };
  const archive = Math.ceil(number / ARCHIVE_ENTRIES);
  return { text, archive: { number: archive, epoch: shelf.archive(source, archive)?.epoch } };
}

function updatedMs(entry: string): number {
  return Date.parse(/<updated>([^<]+)<\/updated>/.exec(entry)?.[1] ?? '');
}
