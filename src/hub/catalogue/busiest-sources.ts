import { othersFirst } from '../../log/others-first.ts';
import type { DayRange, SourceTally } from './catalogue.ts';
import type { CatalogueTables } from './catalogue-tables.ts';
import { daysOf } from './day-tallies.ts';

type Sums = ReadonlyMap<string, SourceTally>;

interface KeptSums {
  /** Up to the end of that day. */
  readonly through: number;
  readonly sums: Sums;
  /** The same, the busiest first. */
  readonly ranked: readonly SourceTally[];
}

/** Ranges whose sums are kept; those of a dashboard are few. */
const MOST_RANGES = 4;
const NOTHING: KeptSums = { through: 0, sums: new Map(), ranked: [] };

/**
 * Which sources have the most changes in some days.
 *
 * Times never go back in a log, so that only its last day still grows: the sums of all days before it are made once, day by day, and kept in
 * their order. To ask again costs what the sources of one day cost.
 */
export class BusiestSources {
  readonly #kept = new Map<number, KeptSums>();

  async find(tables: CatalogueTables, range: DayRange, limit: number): Promise<readonly SourceTally[]> {
    const { from, to } = daysOf(range);
    const { lastDay } = tables;
    const closed = Math.min(to, lastDay - 1);
    const { sums, ranked } = closed < from ? NOTHING : await this.#closedSums(tables, from, closed);
    const growing = to >= lastDay && lastDay >= from ? tables.sourceTallies(lastDay) : [];
    const grown = new Map(growing.map((tally) => [tally.source, plus(tally, sums.get(tally.source))]));
    return busiestFirst([...grown.values(), ...firstOutside(ranked, grown, limit)]).slice(0, limit);
  }

  /** Days may have less than before: the log was cut. */
  clear(): void {
    this.#kept.clear();
  }

  async #closedSums(tables: CatalogueTables, from: number, through: number): Promise<KeptSums> {
    const kept = this.#kept.get(from);
    if (kept?.through === through) return kept;
    const goesOn = kept !== undefined && kept.through < through;
    const sums = new Map(goesOn ? kept.sums : []);
    for (let day = goesOn ? kept.through + 1 : from; day <= through; day += 1) {
      for (const tally of tables.sourceTallies(day)) sums.set(tally.source, plus(tally, sums.get(tally.source)));
      await othersFirst();
    }
    const closed = { through, sums, ranked: busiestFirst([...sums.values()]) };
    this.#keep(from, closed);
    return closed;
  }

  #keep(from: number, sums: KeptSums): void {
    this.#kept.delete(from);
    this.#kept.set(from, sums);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_RANGES && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function plus({ source, creates, updates, deletes }: SourceTally, before: SourceTally | undefined): SourceTally {
  if (before === undefined) return { source, creates, updates, deletes };
  return {
    source,
    creates: before.creates + creates,
    updates: before.updates + updates,
    deletes: before.deletes + deletes,
  };
}

/** Equal ones in order of name; none without a change. */
function busiestFirst(tallies: readonly SourceTally[]): readonly SourceTally[] {
  return tallies
    .filter((tally) => changesOf(tally) > 0)
    .sort((one, other) => changesOf(other) - changesOf(one) || (one.source < other.source ? -1 : 1));
}

function changesOf({ creates, updates, deletes }: SourceTally): number {
  return creates + updates + deletes;
}

/** The first that are not among those. */
function firstOutside(ranked: readonly SourceTally[], those: Sums, limit: number): readonly SourceTally[] {
  const found: SourceTally[] = [];
  for (const tally of ranked) {
    if (found.length >= limit) break;
    if (!those.has(tally.source)) found.push(tally);
  }
  return found;
}
