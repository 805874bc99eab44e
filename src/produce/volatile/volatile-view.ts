import { formatTime } from '../../codecs/primitives/time.ts';
import { decodePageSpots, type PageRecord } from '../../log/pages-file.ts';
import { type Spot, WHOLE_PAGE } from '../../model/spot.ts';
import type { VolatileBlock, VolatileParts } from '../../model/volatile-parts.ts';
import { hasReturned } from './judge-spot.ts';

/** The maximum number of named blocks. */
const MAX_BLOCKS = 10;

/** What is held back on these pages at this look: blocks by their place, the most frequently changing first, and pages that are unstable as a whole. */
export function volatileParts(pages: Iterable<PageRecord>, look: number): VolatileParts {
  const blocks = new Map<string, { readonly url: string; readonly spot: Spot }[]>();
  const unstable: string[] = [];
  for (const record of pages) {
    const { url } = record;
    for (const spot of decodePageSpots(record)) {
      if (spot.key === WHOLE_PAGE && (spot.is === 'held' || hasReturned(spot))) unstable.push(url);
      if (spot.key === WHOLE_PAGE || spot.is !== 'held') continue;
      const where = whereOf(spot);
      blocks.set(where, [...(blocks.get(where) ?? []), { url, spot }]);
    }
  }
  const views = Array.from(blocks, ([where, found]) => viewOf(where, found, look));
  const listed = views.sort((a, b) => b.changed - a.changed).slice(0, MAX_BLOCKS);
  return {
    ...(listed.length > 0 && { volatile: listed }),
    ...(unstable.length > 0 && { unstable: unstable.slice(0, MAX_BLOCKS) }),
  };
}

function viewOf(
  where: string,
  found: readonly { readonly url: string; readonly spot: Spot }[],
  look: number,
): VolatileBlock {
  const [first, ...others] = found;
  const spots = found.map(({ spot }) => spot);
  return {
    where,
    ...(first !== undefined && others.length === 0 && { url: first.url }),
    ...(others.length > 0 && { pages: found.length }),
    changed: spots.reduce((sum, { changed }) => sum + changed, 0),
    looks: spots.reduce((sum, { first, last }) => sum + Math.max(look, last) - first + 1, 0),
    since: formatTime(Math.min(...spots.map(({ sinceMs }) => sinceMs))),
  };
}

/** The element, if it has a name; otherwise the section that contains the lines. */
function whereOf({ key, anchor }: Spot): string {
  if (!/^[~=]/.test(key)) return key;
  if (key.startsWith('=')) return 'title';
  return anchor === undefined ? 'before the first heading' : `#${anchor}`;
}
