import { groupBy } from '../codecs/primitives/group-by.ts';
import type { Page, PageOutline, Section, SectionOutline } from '../model/page.ts';
import { splitMarks } from './line-marks.ts';

/** What a program puts into an id to make it unique: hex with a digit in it, or many digits. */
const NONCE = /(?=[a-f]*\d)[0-9a-f]{6,}|\d{4,}/gi;

/**
 * The page with the anchors that its sections had before, where their ids are others at each look: `setup-x23d45d74` is `setup-x4c407d6e` of the
 * look before, under the same heading.
 *
 * Only where all such ids went at once, and at least half of the sections say what they said: an author who replaces one section by
 * another leaves the others alone. A kept anchor is a key, as no element has it for its id any more.
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

/** The id without what is only there to make it unique, and the heading. */
function nameOf({ anchor, lines = '' }: SectionOutline): string {
  return `${skeletonOf(anchor)} ${splitMarks(lines)[0] ?? ''}`;
}

function skeletonOf(anchor: string): string {
  return anchor.replace(NONCE, '*');
}
