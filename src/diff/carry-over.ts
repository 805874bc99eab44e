import type { PageOutline, SectionOutline } from '../model/page.ts';

interface Readings {
  /** A page as it was, read by other rules. */
  readonly before: PageOutline;
  /** The page as it is, read by those rules. */
  readonly asBefore: PageOutline;
  /** The page as it is, read by the rules of now. */
  readonly after: PageOutline;
}

/**
 * A page as it was, as far as the rules of now would have read it.
 *
 * A part that both sets of rules read alike is the earlier one. Of a part that they read differently nobody knows what the rules of
 * now had made of it, so it is taken to be as it is; and where they leave out whole sections, so is one that is not there any more.
 */
export function carryOver({ before, asBefore, after }: Readings): PageOutline {
  const earlier = byAnchor(before.sections);
  const now = byAnchor(asBefore.sections);
  const isAlike = ({ anchor, checksum }: SectionOutline) => now.get(anchor)?.checksum === checksum;
  const kept = after.sections.flatMap((section) =>
    isAlike(section) ? (earlier.get(section.anchor) ?? []) : [section],
  );
  const staying = byAnchor(after.sections);
  const isCut = asBefore.sections.some(({ anchor }) => !staying.has(anchor));
  const removed = isCut ? [] : before.sections.filter(({ anchor }) => !now.has(anchor) && !staying.has(anchor));
  return {
    ...after,
    title: asBefore.title === after.title ? before.title : after.title,
    preamble: asBefore.preamble === after.preamble ? before.preamble : after.preamble,
    sections: [...inEarlierOrder(kept, before.sections), ...removed],
  };
}

function byAnchor(sections: readonly SectionOutline[]): ReadonlyMap<string, SectionOutline> {
  return new Map(sections.map((section) => [section.anchor, section]));
}

/** Sections that have an earlier place change places among themselves; the others stay where they are. */
function inEarlierOrder(
  sections: readonly SectionOutline[],
  earlier: readonly SectionOutline[],
): readonly SectionOutline[] {
  const places = new Map(earlier.map(({ anchor }, place) => [anchor, place]));
  const placeOf = ({ anchor }: SectionOutline) => places.get(anchor) ?? -1;
  const sorted = sections.filter((section) => placeOf(section) !== -1).sort((a, b) => placeOf(a) - placeOf(b));
  const next = sorted.values();
  return sections.map((section) => (placeOf(section) === -1 ? section : (next.next().value ?? section)));
}
