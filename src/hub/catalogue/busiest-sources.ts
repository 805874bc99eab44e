import { othersFirst } from '../../log/others-first.ts';
import type { ActionTally, DayRange, SourceTally } from './catalogue.ts';
import type { CatalogueTables } from './catalogue-tables.ts';
import { daysOf } from './day-tallies.ts';

type Sums = ReadonlyMap<string, ActionTally>;

interface KeptSums {
  /** Up to the end of that day. */
  readonly through: number;
  readonly sums: Sums;
}

/** Ranges whose sums are kept; those of a dashboard are few. */
const MOST_RANGES = 4;
const NONE: ActionTally = { creates: 0, updates: 0, deletes: 0 };

/**
 * Which sources have the most changes in some days.
 *
 * Times never go back in a log, so that only its last day still grows: the sums of all days before it are made once, day by day, and kept. To ask
 * again costs what the sources of one day cost.
 */
export class BusiestSources {
  readonly #kept = new Map<number, KeptSums>();

  async find(tables: CatalogueTables, range: DayRange, limit: number): Promise<readonly SourceTally[]> {
    const { from, to } = daysOf(range);
    const { lastDay } = tables;
    const closed = Math.min(to, lastDay - 1);
    const sums = closed < from ? new Map<string, ActionTally>() : await this.#closedSums(tables, from, closed);
    const growing = to >= lastDay && lastDay >= from ? tables.sourceTallies(lastDay) : [];
    return busiest(growing.length === 0 ? sums : added(sums, growing), limit);
  }

  /** Days may have less than before: the log was cut. */
  clear(): void {
    this.#kept.clear();
  }

  async #closedSums(tables: CatalogueTables, from: number, through: number): Promise<Sums> {
    const kept = this.#kept.get(from);
    const goesOn = kept !== undefined && kept.through <= through;
    let sums: Sums = goesOn ? kept.sums : new Map();
    for (let day = goesOn ? kept.through + 1 : from; day <= through; day += 1) {
      sums = added(sums, tables.sourceTallies(day));
      await othersFirst();
    }
    this.#keep(from, { through, sums });
    return sums;
  }

  #keep(from: number, sums: KeptSums): void {
    this.#kept.delete(from);
    this.#kept.set(from, sums);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_RANGES && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function added(sums: Sums, more: readonly SourceTally[]): Sums {
  const all = new Map(sums);
  for (const { source, creates, updates, deletes } of more) {
    const sum = all.get(source) ?? NONE;
    all.set(source, {
      creates: sum.creates + creates,
      updates: sum.updates + updates,
      deletes: sum.deletes + deletes,
    });
  }
  return all;
}

/** Of equal ones the first by name. */
function busiest(sums: Sums, limit: number): readonly SourceTally[] {
  const counted = Array.from(sums, ([source, tally]) => ({
    source,
    tally,
    changes: tally.creates + tally.updates + tally.deletes,
  }));
  return counted
    .filter(({ changes }) => changes > 0)
    .sort((one, other) => other.changes - one.changes || (one.source < other.source ? -1 : 1))
    .slice(0, Math.max(0, limit))
    .map(({ source, tally }) => ({ source, ...tally }));
}
