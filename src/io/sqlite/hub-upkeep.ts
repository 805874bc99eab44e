import { othersFirst } from '../../log/others-first.ts';
import type { HubChanges } from './hub-changes.ts';
import type { HubSnapshots, SweepPlace } from './hub-snapshots.ts';
import { HOUR_MS, type HubSources, type Settle } from './hub-sources.ts';
import type { LogDatabase, SqliteLog } from './log.ts';
import { dropCheckedLists } from './tlog-checks.ts';

/** The checks of this many sources are examined in one transaction. */
const SOURCES_AT_ONCE = 20;

interface UpkeepParts extends Pick<LogDatabase, 'log' | 'database'> {
  readonly changes: HubChanges;
  readonly sources: HubSources;
  readonly snapshots: HubSnapshots;
}

/** What a hub lets go, and how much it has of what. All of it goes in steps, between which others have their turn; done again, it does nothing more. */
export class HubUpkeep {
  readonly #parts: UpkeepParts;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  async cutLog(seq: number): Promise<void> {
    const { log, changes } = this.#parts;
    log.ask(() => changes.cut(seq));
    while (log.ask(() => changes.dropSome())) await othersFirst();
  }

  async dropSnapshots(beforeMs: number): Promise<number> {
    const { snapshots } = this.#parts;
    let total = 0;
    await this.#inSteps((place) => snapshots.spareBases(beforeMs, place));
    for (const isTold of [true, false]) {
      await this.#inSteps((place) => {
        const { dropped, next } = snapshots.drop(beforeMs, { place, isTold });
        total += dropped;
        return next;
      });
    }
    return total;
  }

  snapshotsBeyond(bytes: number): Promise<number> {
    return readInTurns(this.#parts.log, this.#parts.snapshots.beyond(bytes));
  }

  /** A few sources at a time. */
  async dropChecks(beforeMs: number): Promise<void> {
    const { log, sources } = this.#parts;
    const ids = log.ask(() => sources.all()).map(({ config }) => config.id);
    for (let at = 0; at < ids.length; at += SOURCES_AT_ONCE) {
      writeSources(log, () => [sources.dropChecks(ids.slice(at, at + SOURCES_AT_ONCE), beforeMs)]);
      await othersFirst();
    }
    await dropCheckedLists(this.#parts, beforeMs);
  }

  /** By the hour: to sort all checks of all sources would take long. */
  async checksBeyond(bytes: number): Promise<number> {
    const { log, sources } = this.#parts;
    const weights = new Map<number, number>();
    const ids = log.ask(() => sources.all()).map(({ config }) => config.id);
    for (const [at, id] of ids.entries()) {
      const weighed = log.ask(() => sources.weighChecks(id));
      for (const { hour, bytes: more } of weighed) weights.set(hour, (weights.get(hour) ?? 0) + more);
      if (at % SOURCES_AT_ONCE === 0) await othersFirst();
    }
    let left = bytes;
    for (const [hour, weight] of [...weights].sort(([one], [other]) => other - one)) {
      left -= weight;
      if (left < 0) return (hour + 1) * HOUR_MS;
    }
    return 0;
  }

  /** Each step is a transaction. The last one leads nowhere. */
  async #inSteps(take: (place: SweepPlace | undefined) => SweepPlace | undefined): Promise<void> {
    let place: SweepPlace | undefined;
    do {
      this.#parts.log.appendWith([], () => {
        place = take(place);
      });
      await othersFirst();
    } while (place !== undefined);
  }
}

/** Reads bit by bit: others have their turn in between. */
export async function readInTurns<T>(log: SqliteLog, reading: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = log.ask(() => reading.next());
    if (done) return value;
    await othersFirst();
  }
}

/** What is known of sources in memory follows only what was committed. */
export function writeSources(log: SqliteLog, write: () => readonly Settle[]): void {
  let settling: readonly Settle[] = [];
  log.appendWith([], () => {
    settling = write();
  });
  for (const settle of settling) settle();
}
