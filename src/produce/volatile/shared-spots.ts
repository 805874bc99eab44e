import { splitMarks } from '../../extract/line-marks.ts';
import { decodePageSpots, type PageRecord } from '../../log/pages-file.ts';
import { type Spot, WHOLE_PAGE } from '../../model/spot.ts';
import { isForgotten, type SharedSpot } from './judge-spot.ts';
import { textMark } from './spot-edits.ts';

/** What the pages of a site have in common: what is learned on one of them holds for the same spot on the others. */
export interface SharedSpots {
  readonly byKey: ReadonlyMap<string, SharedSpot>;
  /** `from>to`: marks of two texts of which the second came in place of the first, on any page. More are added as they are seen. */
  readonly turns: Set<string>;
}

/** All of a page is no spot of another. */
export function sharedSpots(pages: ReadonlyMap<string, PageRecord>, look: number): SharedSpots {
  const byKey = new Map<string, Spot[]>();
  const turns = new Set<string>();
  for (const record of pages.values()) {
    for (const spot of decodePageSpots(record)) {
      if (spot.key === WHOLE_PAGE || isForgotten(spot, look)) continue;
      for (const turn of turnsOf(spot)) turns.add(turn);
      const others = byKey.get(spot.key);
      if (others === undefined) byKey.set(spot.key, [spot]);
      else others.push(spot);
    }
  }
  return { byKey: new Map(Array.from(byKey, ([key, spots]) => [key, sharedOf(spots, pages.size, look)])), turns };
}

function turnsOf({ texts, lines }: Spot): readonly string[] {
  const marks = [...splitMarks(texts), textMark(lines)];
  return marks.slice(1).map((mark, at) => `${marks[at]}>${mark}`);
}

function sharedOf(spots: readonly Spot[], pages: number, look: number): SharedSpot {
  return {
    isHeld: spots.some(({ is }) => is === 'held'),
    isCommon: spots.length * 2 > pages,
    changed: spots.reduce((sum, { changed }) => sum + changed, 0),
    looks: spots.reduce((sum, { first }) => sum + look - first, 0),
  };
}
