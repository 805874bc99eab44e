import { baseOf } from '../extract/anchor-names.ts';
import type { Action } from '../model/change.ts';
import type { Page } from '../model/page.ts';
import { decodeSectionsNote } from '../model/sections-note.ts';

/** One section inside a page event. */
export interface FollowedSection {
  readonly anchor: string;
  readonly action: Action;
  /** Absent if the section is gone. */
  readonly markdown?: string;
}

/** Reasons that no section covers: only the whole page contains what is new. */
const BEYOND_SECTIONS = new Set(['preamble-changed', 're-read']);

/**
 * The sections that are the complete change of a page, as the note of its event names them and the page reads now.
 *
 * Undefined if the note does not name all of them, if the page does not match the note, or if headings share a name, since such sections may be
 * numbered differently on a page that is read alone. Then the change applies to the whole page.
 */
export function changedSections(note: string | undefined, page: Page): readonly FollowedSection[] | undefined {
  const noted = decodeSectionsNote(note);
  if (noted === undefined || noted.more > 0) return undefined;
  if (note?.split('; ').some((reason) => BEYOND_SECTIONS.has(reason))) return undefined;
  const counts = new Map<string, number>();
  for (const { anchor } of page.sections) counts.set(baseOf(anchor), (counts.get(baseOf(anchor)) ?? 0) + 1);
  const [changed, added] = [new Set(noted.changed), new Set(noted.added)];
  const isNamed = (anchor: string, count: number) => baseOf(anchor) === anchor && (counts.get(anchor) ?? 0) === count;
  if (![...changed, ...added].every((anchor) => isNamed(anchor, 1))) return undefined;
  if (!noted.removed.every((anchor) => isNamed(anchor, 0))) return undefined;
  const there = page.sections.filter(({ anchor }) => changed.has(anchor) || added.has(anchor));
  return [
    ...there.map(({ anchor, markdown }): FollowedSection => {
      return { anchor, action: added.has(anchor) ? 'create' : 'update', markdown };
    }),
    ...noted.removed.map((anchor): FollowedSection => ({ anchor, action: 'delete' })),
  ];
}
