import { halfReadError } from '../../errors/source-trouble.ts';
import type { FileFailure } from '../../model/folder.ts';
import type { VolatileParts } from '../../model/volatile-parts.ts';
import type { SafetyWords } from '../../produce/safety-words.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

/** The outcome of a visit that read its source, without the changes, which are counted when they are written. */
export type SourceReading = Omit<Extract<VisitOutcome, { readonly is: 'read' }>, 'is' | 'changes'>;

/** A visit does not wait longer than this for a host that asked for a pause, so that other sources get read. */
export const MAX_WAIT_MS = 15_000;

const MAX_NOTES = 20;

export function notesOf(...lists: readonly (readonly FileFailure[])[]): readonly string[] {
  return shortNotes(lists.flat().map(({ file, message }) => `${file}: ${message}`));
}

/** At most as many as a person reads. */
export function shortNotes(notes: readonly string[], most = MAX_NOTES): readonly string[] {
  if (notes.length <= most) return notes;
  return [...notes.slice(0, most - 1), `and ${notes.length - most + 1} more.`];
}

/** The note about pages that are missing for the first time. */
export function missingNotes([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const what = others.length === 0 ? `${first} is` : `${first} and ${others.length} more are`;
  return [`${what} not there. What the next check does not find either is deleted.`];
}

/** The note about a change of the frame that pages share, which is not reported for any of them. */
export function frameNotes({ frame = 0 }: Pick<SiteComparison, 'frame'>): readonly string[] {
  return frame === 0 ? [] : [`frame: changed on ${frame} pages; none of them is told as changed for that.`];
}

export function frameOf({ frame = 0 }: Pick<SiteComparison, 'frame'>): Pick<SourceReading, 'frame'> {
  return frame > 0 ? { frame } : {};
}

/** The notes about what is held back. Without counts, which differ at each look. */
export function volatileNotes({ volatile = [], unstable = [] }: VolatileParts): readonly string[] {
  const [block, page] = [volatile[0], unstable[0]];
  const more = (count: number) => (count > 1 ? ` and ${count - 1} more` : '');
  return [
    ...(block === undefined
      ? []
      : [`volatile: ${block.where}${more(volatile.length)} changes at most looks; it is told when it has been still.`]),
    ...(page === undefined
      ? []
      : [`unstable: ${page}${more(unstable.length)} goes to and fro between texts; only a new one is told.`]),
  ];
}

/** How much of a source could not be read. */
export interface Legibility {
  readonly unread: number;
  readonly pages: number;
  readonly reason: string | undefined;
}

export function isHalfRead({ unread, pages }: Omit<Legibility, 'reason'>): boolean {
  return unread > 0 && unread * 2 >= pages;
}

/** Throws a `HalfReadError` if at least half could not be read. For the end of a visit, when what was read is stored. */
export function stopIfHalfRead({ unread, pages, reason = 'no reason is known.' }: Legibility): void {
  if (isHalfRead({ unread, pages })) throw halfReadError(unread, pages, reason);
}

/** What an operator of a hub can do about a safety stop. */
export function wordsFor(id: string): SafetyWords {
  return { allowDeletes: `tidings source resume ${id} --allow-deletes`, site: 'the address of its site' };
}
