import { decodePageSpots, type PageRecord } from '../../log/pages-file.ts';
import { isForgotten } from './judge-spot.ts';

/** The number of the first counted look at a site. */
export const FIRST_LOOK = 1;

/**
 * The number of the next look. Looks are counted only while a page changed recently or holds something back: a quiet site keeps its number, and one
 * that always was quiet has none.
 */
export function nextLook(pages: Iterable<PageRecord>, look: number | undefined): number | undefined {
  if (look === undefined) return undefined;
  for (const record of pages) {
    const isCounted = decodePageSpots(record).some((spot) => spot.is !== 'still' && !isForgotten(spot, look));
    if (isCounted) return look + 1;
  }
  return look === FIRST_LOOK ? undefined : look;
}
