import { CursorLostError } from '../errors/cursor-lost-error.ts';
import { decodeTermsNote } from '../model/terms-note.ts';
import type { ChangeStream, ChangesPage, StreamedChange } from '../stream/change-stream.ts';
import type { SyncMarks } from './sync-marks.ts';
import type { PageMark } from './sync-state.ts';

export interface MarkOptions {
  readonly stream: Pick<ChangeStream, 'changes'>;
  readonly marks: SyncMarks;
  /** Whether pages at this URL are kept in the index. */
  readonly accepts: (url: string) => boolean;
  readonly signal: AbortSignal;
}

const AT_ONCE = 1000;

/** Records what the stream reported since the last time in the marks: which pages must be read, and which are gone. */
export async function markChanges(options: MarkOptions): Promise<void> {
  const { marks, accepts } = options;
  for (;;) {
    const { cursor } = marks.place;
    const { changes, next } = await nextChanges(options);
    const [first] = changes;
    const place = cursor === undefined && first?.seq === 1 ? { ...marks.place, isWhole: true } : marks.place;
    if (first === undefined || next === null) return;
    const edits = marksOf(
      changes.filter(({ kind, url }) => kind === 'page' && accepts(url)),
      marks,
    );
    await marks.write({ place: { ...place, cursor: next }, put: edits });
  }
}

/** If the log does not reach back to the cursor, the changes in between are unknown: all pages are read again. */
async function nextChanges({ stream, marks, signal }: MarkOptions): Promise<ChangesPage> {
  try {
    return await stream.changes({ after: marks.place.cursor, limit: AT_ONCE }, signal);
  } catch (error) {
    if (!(error instanceof CursorLostError) || marks.place.cursor === undefined) throw error;
    const { setup } = marks.place;
    await marks.write({ place: { setup }, put: readAgain(marks) });
    return await stream.changes({ limit: AT_ONCE }, signal);
  }
}

/** Marks all pages that are not being removed as pages to read. */
export function readAgain(marks: SyncMarks): readonly PageMark[] {
  return marks.all().flatMap((mark) => (mark.is === 'leaving' ? [] : [{ ...mark, is: 'dirty' }]));
}

function marksOf(changes: readonly StreamedChange[], marks: SyncMarks): readonly PageMark[] {
  const edited = new Map<string, PageMark>();
  for (const change of changes) {
    const { url, note } = change;
    if (decodeTermsNote(note)?.isOfSite) for (const mark of ofSameSite(change, marks)) edited.set(mark.url, mark);
    edited.set(url, markBehind(change, edited.get(url) ?? marks.get(url)));
  }
  return [...edited.values()];
}

/** A change of terms that the pages of a site share is reported for only one of them. */
function ofSameSite({ url, source }: StreamedChange, marks: SyncMarks): readonly PageMark[] {
  const { origin } = new URL(url);
  return readAgain(marks).filter((mark) => mark.source === source && new URL(mark.url).origin === origin);
}

function markBehind({ action, anchor, url, source, time }: StreamedChange, known: PageMark | undefined): PageMark {
  const { checksum, sections } = known ?? {};
  const is = action === 'delete' && anchor === undefined ? 'leaving' : 'dirty';
  return { url, source, is, updated: time, checksum, sections };
}
