import type { Change } from '../../model/change.ts';
import { decodeSectionsNote } from '../../model/sections-note.ts';
import type { CatalogueEntry } from './catalogue-tables.ts';
import { changeWords } from './change-words.ts';

const DAY_MS = 86_400_000;

export function catalogueEntry(change: Change): CatalogueEntry {
  const { seq, id, source, url, kind, action, time } = change;
  return {
    ...{ seq, id, source, url, kind, action },
    day: dayOf(Date.parse(time)),
    anchors: sectionsOfChange(change),
    words: changeWords(change),
  };
}

/** The sections that a change is one of: its own, or those that a change of the whole page names. */
export function sectionsOfChange({ anchor, note }: Pick<Change, 'anchor' | 'note'>): readonly string[] {
  if (anchor !== undefined) return [anchor];
  const { changed = [], added = [], removed = [] } = decodeSectionsNote(note) ?? {};
  return [...new Set([...changed, ...added, ...removed])];
}

/** Since 1970, in UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** `2026-11-17`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
