import { baseOf } from '../extract/anchor-names.ts';
import type { Action } from '../model/change.ts';
import type { Page, Section } from '../model/page.ts';
import { decodeSectionsNote } from '../model/sections-note.ts';

/** One section inside a page event. */
export interface FollowedSection {
  readonly anchor: string;
  readonly action: Action;
  /** Absent where the section is gone. */
  readonly markdown?: string;
}

/** Reasons of which no section tells: only the whole page holds what is new. */
const BEYOND_SECTIONS = new Set(['preamble-changed', 're-read']);

/**
 * The sections that are all that changed of a page, as the note of its event names them and the page reads now.
 *
 * Undefined where the note does not name all of them, or the page has not all that are named: then the change is the whole page's.
 */
export function changedSections(note: string | undefined, page: Page): readonly FollowedSection[] | undefined {
  const noted = decodeSectionsNote(note);
  if (noted === undefined || noted.more > 0) return undefined;
  if (note?.split('; ').some((reason) => BEYOND_SECTIONS.has(reason))) return undefined;
  const sectionsOf = sectionFinder(page);
  const told = new Map<Section, Action>();
  for (const anchor of [...noted.changed, ...noted.added]) {
    const found = sectionsOf(anchor);
    if (found.length === 0) return undefined;
    for (const section of found) told.set(section, noted.added.includes(anchor) ? 'create' : 'update');
  }
  const there = new Set(page.sections.map(({ anchor }) => anchor));
  const gone = noted.removed.filter((anchor) => !there.has(anchor));
  return [
    ...page.sections.flatMap((section) => {
      const action = told.get(section);
      return action === undefined ? [] : [{ anchor: section.anchor, action, markdown: section.markdown }];
    }),
    ...gone.map((anchor) => ({ anchor, action: 'delete' as const })),
  ];
}

/** By the anchor's base: where several headings share one, a page that is read alone may name them otherwise. */
function sectionFinder({ sections }: Page): (anchor: string) => readonly Section[] {
  const groups = new Map<string, Section[]>();
  for (const section of sections) {
    const base = baseOf(section.anchor);
    const group = groups.get(base);
    if (group === undefined) groups.set(base, [section]);
    else group.push(section);
  }
  return (anchor) => groups.get(baseOf(anchor)) ?? [];
}
