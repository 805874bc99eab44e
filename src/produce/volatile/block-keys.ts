import type { OwnedLine } from '../../extract/owned-lines.ts';
import type { PageLine } from './page-lines.ts';

/** A block that is most of the page counts as the page, not as a spot. */
const MOST_OF_PAGE = 2 / 3;
/** An element that occurs more often is a form that authors use, not a spot. */
const MAX_BLOCKS = 3;

export const TITLE_KEY = '=title';

/**
 * The block of each line, by a name that the same block has on other pages; undefined for the text itself. A known spot stays one, however long it
 * has grown.
 */
export function blockKeys(
  lines: readonly PageLine[],
  owned: readonly OwnedLine[],
  known: ReadonlySet<string>,
): readonly (string | undefined)[] {
  const names = lines.map(({ part, anchor }, at) =>
    part === 'title' ? TITLE_KEY : blockName(owned[at - 1]?.owner ?? '', anchor),
  );
  const runs: { readonly name: string; readonly from: number; to: number }[] = [];
  for (const [at, name] of names.entries()) {
    const last = runs.at(-1);
    if (last?.name === name && last.to === at) last.to = at + 1;
    else if (name !== '') runs.push({ name, from: at, to: at + 1 });
  }
  const keys = new Array<string | undefined>(lines.length).fill(undefined);
  const counts = new Map<string, number>();
  for (const { name } of runs) counts.set(name, (counts.get(name) ?? 0) + 1);
  const numbers = new Map<string, number>();
  for (const { name, from, to } of runs) {
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    const headings = lines.slice(from, to).filter(({ part }) => part === 'heading').length;
    const isSpot = to - from <= lines.length * MOST_OF_PAGE && headings <= 1 && (counts.get(name) ?? 0) <= MAX_BLOCKS;
    const key = number === 1 ? name : `${name}~${number}`;
    if (isSpot || known.has(key)) keys.fill(key, from, to);
  }
  return keys;
}

/** A list without a name is named after its section. */
function blockName(owner: string, anchor = ''): string {
  return /^(?:ul|ol|dl|table)$/.test(owner) ? `${owner}#${anchor}` : owner;
}
