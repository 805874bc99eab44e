import type { PageOutline, SectionOutline } from '../model/page.ts';

interface Readings {
  /** The earlier page, read by other rules. */
  readonly before: PageOutline;
  /** The current page, read by those rules. */
  readonly asBefore: PageOutline;
  /** The current page, read by the current rules. */
  readonly after: PageOutline;
}

/**
 * The earlier page, as far as the current rules would have read it.
 *
 * A part that both sets of rules read alike is taken from the earlier page. For a part that they read differently, the earlier reading by the current
 * rules is unknown, so the current one is used. If the rules leave out whole sections, the same applies to sections that no longer exist.
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

/** Sections with an earlier place are reordered among themselves; the others stay where they are. */
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
