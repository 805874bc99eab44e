import type { PageOutline, SectionOutline } from '../model/page.ts';
import { encodeSectionsNote } from '../model/sections-note.ts';
import { describeRenames, findRenames } from './find-renames.ts';
import type { PageChange } from './page-change.ts';

/**
 * What changed on one page, as its readers must be told.
 *
 * - An edited section is an `update`, a new one a `create`, each with its anchor and its checksum.
 * - What anchors cannot express is one `update` of the page: a section removed, renamed or moved, another title or
 *   preamble, or at least two edited sections that are half of the page or more. Its note names the sections inside.
 * - A section is never deleted by name: a reader may take that for the whole page (T-AICF-2).
 */
export function diffPages(before: PageOutline | undefined, after: PageOutline | undefined): PageChange[] {
  if (after === undefined) return before === undefined ? [] : [deleteOfPage(before)];
  if (before === undefined) {
    return [{ action: 'create', url: after.url, checksum: after.checksum, title: after.title, note: 'new-page' }];
  }
  // Fingerprints of two extractors cannot be compared; see rebaseline.ts for what a caller can do better.
  if (before.extractor !== after.extractor) return [updateOfPage(after, ['re-read'])];

  const differences = compareSections(before.sections, after.sections);
  const reasons = reasonsForWholePage(before, after, differences);
  if (reasons.length > 0) return [updateOfPage(after, [...reasons, ...namesInside(after, differences)])];
  return changesOfSections(after, differences);
}

/** What changed in the current sections of a page, whatever else changed. */
export function diffSections(before: PageOutline, after: PageOutline): PageChange[] {
  return changesOfSections(after, compareSections(before.sections, after.sections));
}

/** With its last title, if it had one: people know the page by it. */
function deleteOfPage({ url, title }: PageOutline): PageChange {
  return { action: 'delete', url, ...(title !== '' && { title }) };
}

export function updateOfPage(after: PageOutline, reasons: readonly string[]): PageChange {
  return {
    action: 'update',
    url: after.url,
    checksum: after.checksum,
    title: after.title,
    note: reasons.join('; '),
  };
}

interface SectionDifferences {
  /** By anchor, as they were. */
  readonly edited: ReadonlyMap<string, SectionOutline>;
  readonly added: readonly SectionOutline[];
  readonly removed: readonly SectionOutline[];
  readonly reordered: boolean;
}

function compareSections(before: readonly SectionOutline[], after: readonly SectionOutline[]): SectionDifferences {
  const placeBefore = new Map(before.map((section, place) => [section.anchor, place]));
  const edited = new Map<string, SectionOutline>();
  const added: SectionOutline[] = [];
  let reordered = false;
  let lastPlace = -1;

  for (const section of after) {
    const place = placeBefore.get(section.anchor);
    if (place === undefined) {
      added.push(section);
      continue;
    }
    placeBefore.delete(section.anchor);
    const earlier = before[place];
    if (earlier !== undefined && earlier.checksum !== section.checksum) edited.set(section.anchor, earlier);
    if (place < lastPlace) reordered = true;
    lastPlace = place;
  }
  const removed = before.filter((section) => placeBefore.has(section.anchor));
  return { edited, added, removed, reordered };
}

function reasonsForWholePage(before: PageOutline, after: PageOutline, differences: SectionDifferences): string[] {
  const { edited, added, removed, reordered } = differences;
  const renames = findRenames(removed, added);
  const reasons: string[] = [];
  if (renames.length > 0) reasons.push(describeRenames(renames));
  if (removed.length > renames.length) reasons.push('section-removed');
  if (before.title !== after.title) reasons.push('title-changed');
  if (before.preamble !== after.preamble) reasons.push('preamble-changed');
  if (edited.size >= 2 && edited.size * 2 >= after.sections.length) reasons.push('many-sections');
  if (reordered) reasons.push('reordered');
  return reasons;
}

/** A renamed section is one removed and one added: a reader that stores sections by name needs both. */
function namesInside({ sections }: PageOutline, { edited, added, removed }: SectionDifferences): string[] {
  const note = encodeSectionsNote({
    changed: sections.map(({ anchor }) => anchor).filter((anchor) => edited.has(anchor)),
    added: added.map(({ anchor }) => anchor),
    removed: removed.map(({ anchor }) => anchor),
  });
  return note === undefined ? [] : [note];
}

/** In page order, so that a reader can follow along. */
function changesOfSections(after: PageOutline, { edited, added }: SectionDifferences): PageChange[] {
  const isNew = new Set(added);
  const changes: PageChange[] = [];
  for (const section of after.sections) {
    const { anchor, checksum } = section;
    const earlier = edited.get(anchor);
    const target = { url: after.url, anchor, checksum, title: after.title };
    if (isNew.has(section)) changes.push({ action: 'create', ...target, note: 'new-section' });
    else if (earlier !== undefined) {
      changes.push({ action: 'update', ...target, ...textBefore(earlier, section), note: 'text-edit' });
    }
  }
  return changes;
}

/** If a text is missing or too long to show, there is nothing to compare. */
function textBefore({ text: before }: SectionOutline, { text: after }: SectionOutline): Pick<PageChange, 'before'> {
  return before !== undefined && after !== undefined && after !== '' && before !== after ? { before } : {};
}
