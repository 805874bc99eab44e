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
  /** Those that were taken and are not stored yet. */
  #taken: readonly CheckedAt[] = [];

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

  /** In order of id. They count as told once they are {@link PendingChecks.settle | settled}. */
  take(): readonly CheckedAt[] {
    this.giveBack();
    const taken = [...this.#pending].map(([source, atMs]) => ({ source, atMs }));
    this.#pending.clear();
    this.#taken = taken.sort((one, other) => (one.source < other.source ? -1 : 1));
    return this.#taken;
  }

  /** What was taken is stored. */
  settle(): void {
    this.#taken = [];
  }

  /** What was taken could not be stored: it is to be told again, where nothing newer is. */
  giveBack(): void {
    for (const { source, atMs } of this.#taken) if (!this.#pending.has(source)) this.#pending.set(source, atMs);
    this.#taken = [];
  }
}
