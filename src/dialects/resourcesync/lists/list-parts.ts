import { hash } from 'node:crypto';
import type { PageRecord } from '../../../log/pages-file.ts';

/** A part of a long Resource List: pages with consecutive addresses. */
export interface ResourceListPart {
  /** Used in the name of its file. */
  readonly name: string;
  /** Sorted by address. */
  readonly pages: readonly PageRecord[];
}

/**
 * Splits pages into parts of roughly this size. The hash of an address alone decides whether it begins a part. So a page that is
 * added or removed changes only the part that it is in, and at most the one before it.
 */
export function listParts(sorted: readonly PageRecord[], aboutEntries: number): readonly ResourceListPart[] {
  const parts: { readonly name: string; readonly pages: PageRecord[] }[] = [{ name: FIRST_NAME, pages: [] }];
  for (const page of sorted) {
    const isStart = hash32(page.url) % aboutEntries === 0;
    if (isStart) parts.push({ name: hash('sha256', page.url, 'hex').slice(0, NAME_DIGITS), pages: [page] });
    else parts.at(-1)?.pages.push(page);
  }
  return parts.filter(({ pages }) => pages.length > 0);
}

/**
 * The index of the part that an address belongs to, even if no page has it any more. -1 for an address before all parts, unless the
 * first part has no starting address.
 */
export function partAt(url: string, parts: readonly ResourceListPart[]): number {
  const [first] = parts;
  if (first !== undefined && first.name !== FIRST_NAME && url < (first.pages[0]?.url ?? '')) return -1;
  let low = 0;
  let high = parts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.pages[0]?.url ?? '') <= url) low = middle;
    else high = middle;
  }
  return low;
}

/** The indexes of the parts that change when these addresses change. */
export function changedParts(changed: readonly string[], parts: readonly ResourceListPart[]): ReadonlySet<number> {
  const places = new Set<number>();
  for (const url of changed) {
    const at = partAt(url, parts);
    places.add(at);
    // A page that begins a part may have split it off the one before.
    if (parts[at]?.pages[0]?.url === url) places.add(at - 1);
  }
  return places;
}

const FIRST_NAME = '0'.repeat(12);
const NAME_DIGITS = FIRST_NAME.length;

/** FNV-1a, mixed once more so that its low bits are as good as the others. */
function hash32(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
