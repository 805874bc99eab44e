import type { Page, PageOutline, Section, SectionOutline } from '../model/page.ts';
import { AnchorNames, baseOf } from './anchor-names.ts';

/**
 * The page with the anchors that its sections had before, where several headings carry the same id or slug.
 *
 * Read alone, a page gives the plain id to the first of them; a new one in front would rename all others. Here a section
 * is known again by its content, then by its text, then by name and order, and only what is new gets a new name.
 */
export function keepAnchors(page: Page, before: PageOutline | undefined): Page {
  if (before === undefined) return page;
  const groupsBefore = groupByBase(before.sections);
  const groupsAfter = groupByBase(page.sections);
  const renamed = new Map<Section, string>();

  for (const [base, sections] of groupsAfter) {
    const earlier = groupsBefore.get(base);
    if (
      earlier === undefined ||
      (earlier.length === 1 && sections.length === 1 && earlier[0]?.anchor === sections[0]?.anchor)
    )
      continue;
    nameGroup(page, sections, matchSections(earlier, sections), renamed);
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

/** Which anchor each section had before; what is not in the map is new. */
function matchSections(earlier: readonly SectionOutline[], sections: readonly Section[]): Map<Section, string> {
  const matched = new Map<Section, string>();
  let left = [...earlier];
  const matchBy = (key: (section: SectionOutline) => string) => {
    const waiting = new Map<string, SectionOutline[]>();
    for (const section of left) waiting.set(key(section), [...(waiting.get(key(section)) ?? []), section]);
    for (const section of sections) {
      if (matched.has(section)) continue;
      const found = waiting.get(key(section))?.shift();
      if (found !== undefined) matched.set(section, found.anchor);
    }
    const used = new Set(matched.values());
    left = left.filter(({ anchor }) => !used.has(anchor));
  };
  matchBy(({ checksum }) => checksum);
  matchBy(({ body }) => body);
  matchBy(({ anchor }) => anchor);
  matchBy(() => '');
  return matched;
}

function nameGroup(
  page: Page,
  sections: readonly Section[],
  matched: ReadonlyMap<Section, string>,
  renamed: Map<Section, string>,
): void {
  const names = new AnchorNames(matched.values());
  for (const section of sections) {
    const kept = matched.get(section);
    const anchor =
      kept ??
      (names.isFree(section.anchor)
        ? section.anchor
        : names.nameFor(baseOf(section.anchor), parentAnchor(page, section)));
    names.take(anchor);
    if (anchor !== section.anchor) renamed.set(section, anchor);
  }
}

function parentAnchor(page: Page, section: Section): string | undefined {
  const at = page.sections.indexOf(section);
  for (let index = at - 1; index >= 0; index -= 1) {
    const candidate = page.sections[index];
    if (candidate !== undefined && candidate.level < section.level)
      return candidate.level > 1 ? candidate.anchor : undefined;
  }
  return undefined;
}
