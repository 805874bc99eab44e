import { SafetyStopError } from '../errors/safety-stop-error.ts';
import type { Sink } from './sink.ts';
import type { SyncMarks } from './sync-marks.ts';
import type { PageMark } from './sync-state.ts';

/** Beyond both this share and this number of pages of a source, it is not an edit. As in produce/safety.ts. */
const BREAKER_SHARE = 0.3;
const BREAKER_PAGES = 10;

export interface RemoveOptions {
  readonly sink: Pick<Sink, 'remove'>;
  readonly marks: SyncMarks;
  readonly allowDeletes: boolean;
  /** Called for each page that is removed. */
  readonly onRemoved: (mark: PageMark) => void;
}

/**
 * Removes the pages that are leaving, source by source. Returns an error for each source that would lose so many pages that a person has to confirm
 * first; nothing of these is removed.
 */
export async function removeLeaving({
  sink,
  marks,
  allowDeletes,
  onRemoved,
}: RemoveOptions): Promise<readonly SafetyStopError[]> {
  const stops: SafetyStopError[] = [];
  for (const [source, leaving] of bySource(marks.all('leaving'))) {
    const inSink = leaving.filter(({ checksum }) => checksum !== undefined);
    const staying = marks.all().filter((mark) => mark.source === source && mark.is !== 'leaving');
    const held = inSink.length + staying.filter(({ checksum }) => checksum !== undefined).length;
    const isMuch = inSink.length > BREAKER_PAGES && inSink.length > held * BREAKER_SHARE;
    if (isMuch && !allowDeletes) stops.push(stopOf(source, inSink, held));
    else await removePages(leaving, { sink, marks, onRemoved });
  }
  return stops;
}

/** Removes pages at once, regardless of the breaker. */
export async function removePages(
  pages: readonly PageMark[],
  { sink, marks, onRemoved }: Omit<RemoveOptions, 'allowDeletes'>,
): Promise<void> {
  for (const mark of pages) {
    await sink.remove(mark.url);
    await marks.write({ drop: [mark.url] });
    if (mark.checksum !== undefined) onRemoved(mark);
  }
}

function bySource(marks: readonly PageMark[]): ReadonlyMap<string, readonly PageMark[]> {
  const groups = new Map<string, PageMark[]>();
  for (const mark of marks) {
    const group = groups.get(mark.source);
    if (group === undefined) groups.set(mark.source, [mark]);
    else group.push(mark);
  }
  return groups;
}

function stopOf(source: string, leaving: readonly PageMark[], held: number): SafetyStopError {
  const urls = leaving.map(({ url }) => url);
  return new SafetyStopError(
    `${leaving.length} of ${held} pages of ${source} would be removed from the index, ${urls[0]} among them. None of them was. ` +
      'Look at the site in a browser; if they are really gone, say --allow-deletes.',
    urls,
  );
}
