import { groupBy } from '../codecs/primitives/group-by.ts';
import type { SectionOutline } from '../model/page.ts';

interface Rename {
  readonly from: string;
  readonly to: string;
}

/** `sha256:<hex>` of empty text. Two sections without text have nothing in common. */
const NO_TEXT = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** A note is a hint; it names at most this many and counts the rest. */
const MAX_NAMED = 20;

/** Sections that lost their anchor but kept their words: the same heading under a new id, or the same text under a new heading. */
export function findRenames(removed: readonly SectionOutline[], added: readonly SectionOutline[]): Rename[] {
  const renames: Rename[] = [];
  const taken = new Set<SectionOutline>();
  const byChecksum = groupBy(added, ({ checksum }) => checksum);
  const byBody = groupBy(added, ({ body }) => body);

  for (const section of removed) {
    const same = firstFree(byChecksum.get(section.checksum), taken);
    const found = same ?? (section.body === NO_TEXT ? undefined : firstFree(byBody.get(section.body), taken));
    if (found === undefined) continue;
    taken.add(found);
    renames.push({ from: section.anchor, to: found.anchor });
  }
  return renames;
}

export function describeRenames(renames: readonly Rename[]): string {
  const named = renames.slice(0, MAX_NAMED).map(({ from, to }) => `anchor-renamed: ${from} -> ${to}`);
  if (renames.length > MAX_NAMED) named.push(`anchors-renamed: ${renames.length - MAX_NAMED} more`);
  return named.join('; ');
}

function firstFree(
  candidates: readonly SectionOutline[] | undefined,
  taken: ReadonlySet<SectionOutline>,
): SectionOutline | undefined {
  return candidates?.find((section) => !taken.has(section));
}
