import type { SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';

/** The most entries in the feed of all sources, unless it has items of more sources. */
const MOST_ENTRIES = 100;

/** The status of every source, and which of them the feed of all lists. Its cost does not depend on their number. */
export class StatusMap {
  readonly #entries = new Map<string, SourceEntry>();
  readonly #watched = new SortedIds();
  readonly #troubled = new SortedIds();

  put(id: string, entry: SourceEntry, isWatched: boolean): void {
    this.#entries.set(id, entry);
    this.#watched.set(id, isWatched);
    this.#troubled.set(id, isWatched && entry.status !== 'ok');
  }

  /** The given sources, plus other watched ones up to the limit: those in trouble first, then by id. */
  select(included: Iterable<string>): Readonly<Record<string, SourceEntry>> {
    const chosen = new Set(included);
    for (const ids of [this.#troubled, this.#watched]) {
      for (const id of ids.all) {
        if (chosen.size >= MOST_ENTRIES) break;
        chosen.add(id);
      }
    }
    const selected: Record<string, SourceEntry> = {};
    for (const id of [...chosen].sort(compareCodePoints)) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) selected[id] = entry;
    }
    return selected;
  }
}

class SortedIds {
  readonly all: string[] = [];

  set(id: string, isIn: boolean): void {
    const at = this.#placeOf(id);
    const wasIn = this.all[at] === id;
    if (isIn && !wasIn) this.all.splice(at, 0, id);
    if (!isIn && wasIn) this.all.splice(at, 1);
  }

  /** The position where the id is, or belongs. */
  #placeOf(id: string): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareCodePoints(this.all[middle] ?? '', id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
