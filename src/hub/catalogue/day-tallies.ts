import { type ActionTally, type DayRange, type DayTally, MOST_TALLIED_DAYS } from './catalogue.ts';
import { dayOf, dayText } from './catalogue-entry.ts';
import type { CatalogueTables } from './catalogue-tables.ts';

const NONE: ActionTally = { creates: 0, updates: 0, deletes: 0 };

/** Each day of the range, oldest first. */
export function dayTallies(tables: CatalogueTables, range: DayRange, source?: string): readonly DayTally[] {
  const { from, to } = daysOf(range);
  const tallies = tables.tallies(from, to, source);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
    day: dayText(from + at),
    ...(tallies.get(from + at) ?? NONE),
  }));
}

/** The days of a range by number; an empty range if it names no days. */
export function daysOf({ from, to }: DayRange): { readonly from: number; readonly to: number } {
  const [first, last] = [dayOf(Date.parse(from)), dayOf(Date.parse(to))];
  if (Number.isNaN(first) || Number.isNaN(last)) return { from: 0, to: -1 };
  return { from: Math.max(first, last - MOST_TALLIED_DAYS + 1), to: last };
}
