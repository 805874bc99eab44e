import { groupBy } from '../codecs/primitives/group-by.ts';
import type { Page, PageOutline, Section, SectionOutline } from '../model/page.ts';
import { splitMarks } from './line-marks.ts';

/** What a program adds to an id to make it unique: hex with a digit in it, or many digits. */
const NONCE = /(?=[a-f]*\d)[0-9a-f]{6,}|\d{4,}/gi;

/**
 * The page with the previous anchors of its sections, if their ids change at each look: `setup-x23d45d74` was `setup-x4c407d6e` at the last look, under the
 * same heading.
 *
 * Only if all such ids changed at once, and at least half of the sections are unchanged: an author who replaces one section leaves the others alone. A kept
 * anchor is a key, because no element has it as its id any more.
 */
export function steadyAnchors(page: Page, before: PageOutline): Page {
  const former = before.sections.filter(({ anchor }) => skeletonOf(anchor) !== anchor);
  const now = page.sections.filter(({ anchor }) => skeletonOf(anchor) !== anchor);
  if (former.length === 0 || now.length === 0) return page;
  const anchors = new Set(page.sections.map(({ anchor }) => anchor));
  if (former.some(({ anchor }) => anchors.has(anchor))) return page;
  const waiting = groupBy(former, nameOf);
  const kept = new Map<Section, SectionOutline>();
  for (const section of now) {
    const found = waiting.get(nameOf(section))?.shift();
    if (found !== undefined) kept.set(section, found);
  }
  const same = [...kept].filter(([section, earlier]) => section.checksum === earlier.checksum).length;
  if (same === 0 || same * 2 < kept.size) return page;
  return {
    ...page,
    sections: page.sections.map((section) => {
      const anchor = kept.get(section)?.anchor;
      return anchor === undefined ? section : { ...section, anchor, anchorIs: 'key' };
    }),
  };
}

/** The id without its unique part, and the heading. */
function nameOf({ anchor, lines = '' }: SectionOutline): string {
  return `${skeletonOf(anchor)} ${splitMarks(lines)[0] ?? ''}`;
}

function skeletonOf(anchor: string): string {
  return anchor.replace(NONCE, '*');
}
