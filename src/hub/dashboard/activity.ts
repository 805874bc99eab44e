import { TidingsError } from '../../errors/tidings-error.ts';
import type { ActionTally, Catalogue, DayTally } from '../catalogue/catalogue.ts';
import { listSchema, objectSchema, WHOLE_SCHEMA } from './view-schemas.ts';

/** The periods of a chart. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Changes over time. */
export interface Activity {
  readonly by: Period;
  /** Oldest first, without a hole. */
  readonly bars: readonly ActivityBar[];
}

export interface ActivityBar extends ActionTally {
  /** The day, the Monday of the week, or the month: `2026-11-17`, `2026-11`. */
  readonly from: string;
}

export const ACTIVITY_SCHEMA = objectSchema({
  by: { enum: PERIODS },
  bars: listSchema(
    objectSchema({ from: { type: 'string' }, creates: WHOLE_SCHEMA, updates: WHOLE_SCHEMA, deletes: WHOLE_SCHEMA }),
  ),
});

const DAY_MS = 86_400_000;
/** How many days are shown, including today. */
const SPANS: Readonly<Record<Period, number>> = { day: 30, week: 26 * 7, month: 365 };

export interface ActivityQuery {
  readonly by: Period;
  readonly nowMs: number;
  /** Absent: of all sources. */
  readonly source?: string;
}

/** Undefined while the catalogue cannot be read: a page is shown without it. */
export async function readActivity(
  catalogue: Pick<Catalogue, 'tallies'>,
  { by, nowMs, source }: ActivityQuery,
): Promise<Activity | undefined> {
  try {
    return { by, bars: addUp(await catalogue.tallies(daysUpTo(nowMs, by), source), by) };
  } catch (error) {
    if (error instanceof TidingsError) return undefined;
    throw error;
  }
}

/** The days that a chart shows: whole weeks and months. */
export function daysUpTo(nowMs: number, by: Period): { readonly from: string; readonly to: string } {
  const from = nowMs - (SPANS[by] - 1) * DAY_MS;
  return { from: by === 'day' ? dayOf(from) : startOf(dayOf(from), by).padEnd(10, '-01'), to: dayOf(nowMs) };
}

function addUp(days: readonly DayTally[], by: Period): readonly ActivityBar[] {
  const bars = new Map<string, ActivityBar>();
  for (const { day, creates, updates, deletes } of days) {
    const from = startOf(day, by);
    const { creates: c = 0, updates: u = 0, deletes: d = 0 } = bars.get(from) ?? {};
    bars.set(from, { from, creates: c + creates, updates: u + updates, deletes: d + deletes });
  }
  return [...bars.values()];
}

function startOf(day: string, by: Period): string {
  if (by === 'day') return day;
  if (by === 'month') return day.slice(0, 7);
  const ms = Date.parse(day);
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return dayOf(ms - sinceMonday * DAY_MS);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
