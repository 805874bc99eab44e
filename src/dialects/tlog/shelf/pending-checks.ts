import type { ShelfSource } from '../../shelf.ts';
import type { CheckedAt } from './hub-entries.ts';

export interface CheckedSources {
  readonly sources: () => readonly ShelfSource[];
  readonly sourceOf: (id: string) => ShelfSource | undefined;
}

/** Checks that found nothing new and are not told yet. */
export class PendingChecks {
  readonly #world: CheckedSources;
  /** The last check of each source that is known, told or not. */
  #known: Map<string, number> | undefined;
  readonly #pending = new Map<string, number>();

  constructor(world: CheckedSources) {
    this.#world = world;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** These may have been checked. A check that failed, or found something, is none without news. */
  note(ids: Iterable<string>): void {
    this.#known ??= new Map();
    for (const id of ids) {
      const { lastCheckMs, lastOkMs, changed = false } = this.#world.sourceOf(id)?.health ?? {};
      if (lastCheckMs === undefined || lastCheckMs === this.#known.get(id)) continue;
      this.#known.set(id, lastCheckMs);
      if (lastOkMs === lastCheckMs && !changed) this.#pending.set(id, lastCheckMs);
    }
  }

  /** In order of id. From then on they count as told. */
  take(): readonly CheckedAt[] {
    const taken = [...this.#pending].map(([source, atMs]) => ({ source, atMs }));
    this.#pending.clear();
    return taken.sort((one, other) => (one.source < other.source ? -1 : 1));
  }
}
