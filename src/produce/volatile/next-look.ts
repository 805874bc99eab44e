import { decodePageSpots, type PageRecord } from '../../log/pages-file.ts';
import { isForgotten } from './judge-spot.ts';

/** The number of a look at a site of which none was counted. */
export const FIRST_LOOK = 1;

/**
 * The number of the look behind this one. Looks are told from each other only while a page has changed of late or holds something back:
 * a site that is quiet stays at the number that it has, and one that always was has none.
 */
export function nextLook(pages: Iterable<PageRecord>, look: number | undefined): number | undefined {
  if (look === undefined) return undefined;
  for (const record of pages) {
    const isCounted = decodePageSpots(record).some((spot) => spot.is !== 'still' && !isForgotten(spot, look));
    if (isCounted) return look + 1;
  }
  return look === FIRST_LOOK ? undefined : look;
}
