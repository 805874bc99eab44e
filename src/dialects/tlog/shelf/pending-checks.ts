import type { ShelfSource } from '../../shelf.ts';
import type { CheckedAt } from './hub-entries.ts';

export interface CheckedSources {
  readonly sources: () => readonly ShelfSource[];
  readonly sourceOf: (id: string) => ShelfSource | undefined;
}

/** Checks that found nothing new and are not in the log yet. */
export class PendingChecks {
  readonly #world: CheckedSources;
  /** The last known check of each source, logged or not. */
  #known: Map<string, number> | undefined;
  readonly #pending = new Map<string, number>();
  /** Checks that were taken and are not stored yet. */
  #taken: readonly CheckedAt[] = [];

  constructor(world: CheckedSources) {
    this.#world = world;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Takes sources that may have been checked. A check that failed or found something does not count. */
  note(ids: Iterable<string>): void {
    this.#known ??= new Map();
    for (const id of ids) {
      const { lastCheckMs, lastOkMs, changed = false } = this.#world.sourceOf(id)?.health ?? {};
      if (lastCheckMs === undefined || lastCheckMs === this.#known.get(id)) continue;
      this.#known.set(id, lastCheckMs);
      if (lastOkMs === lastCheckMs && !changed) this.#pending.set(id, lastCheckMs);
    }
  }

  /** In order of id. They count as logged once they are {@link PendingChecks.settle | settled}. */
  take(): readonly CheckedAt[] {
    this.giveBack();
    const taken = [...this.#pending].map(([source, atMs]) => ({ source, atMs }));
    this.#pending.clear();
    this.#taken = taken.sort((one, other) => (one.source < other.source ? -1 : 1));
    return this.#taken;
  }

  /** Call it when what was taken is stored. */
  settle(): void {
    this.#taken = [];
  }

  /** Call it if what was taken could not be stored: it will be taken again, unless there is a newer check. */
  giveBack(): void {
    for (const { source, atMs } of this.#taken) if (!this.#pending.has(source)) this.#pending.set(source, atMs);
    this.#taken = [];
  }
}
