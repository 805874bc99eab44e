import type { Change } from '../../../model/change.ts';
import type { AtomShelf } from './atom-shelf.ts';
import { ARCHIVE_ENTRIES, type AtomArchiveName } from './atom-store.ts';

/** An entry as it stands in the feed of its source, or in an archive of it. */
export interface FoundEntry {
  readonly text: string;
  /** Absent: in the feed itself. */
  readonly archive?: AtomArchiveName;
}

/** Of one moment there are as many entries as collections have changed in it; more are not looked at. */
const MOST_OF_MOMENT = 20;

/**
 * The entry of the run that a change is of; undefined where it has ended or there is none.
 *
 * By bisection: the entries of a feed are in order of time, and no other run of a source has the time of this one.
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
