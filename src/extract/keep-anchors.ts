import type { Page, PageOutline, Section, SectionOutline } from '../model/page.ts';
import { AnchorNames, baseOf } from './anchor-names.ts';

/**
 * The page with the previous anchors of its sections, for headings with the same id or slug.
 *
 * In a page read alone, the first of them gets the plain id, so a new one in front would rename all others. Here a section is recognised by its content, then
 * by its text, then by its place between recognised ones, and only new sections get new names.
 */
export function keepAnchors(page: Page, before: PageOutline | undefined): Page {
  if (before === undefined) return page;
  const groupsBefore = groupByBase(before.sections);
  const groupsAfter = groupByBase(page.sections);
  const renamed = new Map<Section, string>();
  let parents: Map<Section, string | undefined> | undefined;

  for (const [base, sections] of groupsAfter) {
    const earlier = groupsBefore.get(base);
    if (
      earlier === undefined ||
      (earlier.length === 1 && sections.length === 1 && earlier[0]?.anchor === sections[0]?.anchor)
    )
      continue;
    parents ??= anchorsOfParents(page.sections);
    nameGroup(parents, sections, matchSections(earlier, sections), renamed);
  }
  if (renamed.size === 0) return page;
  return {
    ...page,
    sections: page.sections.map((section) => ({ ...section, anchor: renamed.get(section) ?? section.anchor })),
  };
}

function groupByBase<T extends SectionOutline>(sections: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const section of sections) {
    const base = baseOf(section.anchor);
    const group = groups.get(base);
    if (group === undefined) groups.set(base, [section]);
    else group.push(section);
  }
  return groups;
}

/** The previous anchor of each section. Sections that are not in the map are new. */
function matchSections(earlier: readonly SectionOutline[], sections: readonly Section[]): Map<Section, string> {
  const matched = new Map<Section, string>();
  let left = [...earlier];
  const matchBy = (key: (section: SectionOutline) => string) => {
    const waiting = new Map<string, SectionOutline[]>();
    for (const section of left.toReversed()) {
      const same = waiting.get(key(section));
      if (same === undefined) waiting.set(key(section), [section]);
      else same.push(section);
    }
    for (const section of sections) {
      if (matched.has(section)) continue;
      const found = waiting.get(key(section))?.pop();
      if (found !== undefined) matched.set(section, found.anchor);
    }
    const used = new Set(matched.values());
    left = left.filter(({ anchor }) => !used.has(anchor));
  };
  matchBy(({ checksum }) => checksum);
  matchBy(({ body }) => body);
  const places = placesBetween(earlier, sections, matched);
  matchBy((section) => String(places.get(section)));
  matchBy(({ anchor }) => anchor);
  matchBy(() => '');
  return matched;
}

/**
 * For each old and new section, how many recognised sections come before it.
 *
 * Sections that changed their order are not counted, so that a place means the same in both versions.
 */
function placesBetween(
  earlier: readonly SectionOutline[],
  sections: readonly Section[],
  matched: ReadonlyMap<Section, string>,
): Map<SectionOutline, number> {
  const placeBefore = new Map(earlier.map(({ anchor }, place) => [anchor, place]));
  const fixed = sections.filter((section) => matched.has(section));
  const order = fixed.map((section) => placeBefore.get(matched.get(section) ?? '') ?? 0);
  const inOrder = longestRising(order);
  const fixedBefore = new Set(inOrder.map((index) => earlier[order[index] ?? 0]));
  const fixedAfter = new Set<SectionOutline | undefined>(inOrder.map((index) => fixed[index]));

  const places = new Map<SectionOutline, number>();
  const count = (versions: readonly SectionOutline[], anchors: ReadonlySet<SectionOutline | undefined>) => {
    let place = 0;
    for (const section of versions) {
      places.set(section, place);
      if (anchors.has(section)) place += 1;
    }
  };
  count(earlier, fixedBefore);
  count(sections, fixedAfter);
  return places;
}

/** The indexes of a longest rising subsequence, in order. */
function longestRising(values: readonly number[]): number[] {
  const previous: (number | undefined)[] = [];
  /** By length: the index at which the run of that length with the lowest end value ends. */
  const ends: number[] = [];
  for (const [index, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  }
  const found: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) found.push(index);
  return found.reverse();
}

function nameGroup(
  parents: ReadonlyMap<Section, string | undefined>,
  sections: readonly Section[],
  matched: ReadonlyMap<Section, string>,
  renamed: Map<Section, string>,
): void {
  const names = new AnchorNames(matched.values());
  for (const section of sections) {
    const kept = matched.get(section);
    const anchor =
      kept ??
      (names.isFree(section.anchor) ? section.anchor : names.nameFor(baseOf(section.anchor), parents.get(section)));
    names.take(anchor);
    if (anchor !== section.anchor) renamed.set(section, anchor);
  }
}

/** The anchor of the parent section of each section. None if the parent is the page itself. */
function anchorsOfParents(sections: readonly Section[]): Map<Section, string | undefined> {
  const parents = new Map<Section, string | undefined>();
  /** The sections that are open at this point, each of a lower rank than the one before. */
  const open: Section[] = [];
  for (const section of sections) {
    let parent = open.at(-1);
    while (parent !== undefined && parent.level >= section.level) {
      open.pop();
      parent = open.at(-1);
    }
    parents.set(section, parent !== undefined && parent.level > 1 ? parent.anchor : undefined);
    open.push(section);
  }
  return parents;
}
