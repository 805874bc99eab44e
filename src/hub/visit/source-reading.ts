import type { FileFailure } from '../../produce/folder.ts';
import type { SafetyWords } from '../../produce/safety-words.ts';
import type { VisitOutcome } from './visit.ts';

/** A visit that read its source, but for the changes, which are counted where they are written. */
export type SourceReading = Omit<Extract<VisitOutcome, { readonly is: 'read' }>, 'is' | 'changes'>;

/** In a visit nobody waits for a host that has asked for a longer pause: others want to be read meanwhile. */
export const MAX_WAIT_MS = 15_000;

const MAX_NOTES = 20;

export function notesOf(...lists: readonly (readonly FileFailure[])[]): readonly string[] {
  return shortNotes(lists.flat().map(({ file, message }) => `${file}: ${message}`));
}

/** At most as many as a person reads. */
export function shortNotes(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [...notes.slice(0, MAX_NOTES - 1), `and ${notes.length - MAX_NOTES + 1} more.`];
}

/** What an operator of a hub can do about a doubt. */
export function wordsFor(id: string): SafetyWords {
  return { allowDeletes: `tidings source resume ${id} --allow-deletes`, site: 'the address of its site' };
}
