import type { KnownItem } from '../dialects/feed-change.ts';
import type { ChangeDraft } from '../model/change.ts';
import {
  editChecksums,
  type FollowState,
  type PendingEvent,
  type SourceState,
  type StoredChecksums,
  type TakenCommit,
} from './follow-state.ts';
import type { ToldChange } from './told-log.ts';

interface Kept {
  state: SourceState;
  readonly seen: Set<string>;
  readonly checksums: StoredChecksums;
  readonly items: Map<string, KnownItem>;
  /** Keys of existing items, by page. */
  readonly liveItems: Map<string, Set<string>>;
  readonly pending: Map<string, PendingEvent>;
}

/** For a follower that must store nothing after it ends, and for tests. */
export class MemoryFollowState implements FollowState {
  readonly changes: ChangeDraft[] = [];
  readonly #now: () => number;
  readonly #told: ToldChange[] = [];
  readonly #sources = new Map<string, Kept>();

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  /** The delivered changes, with the times of their delivery. */
  async *told(): AsyncGenerator<ToldChange, void> {
    yield* this.#told;
  }

  async find(entry: string): Promise<SourceState | undefined> {
    return [...this.#sources.values()].find(({ state }) => state.entry === entry)?.state;
  }

  async isTaken(source: string): Promise<boolean> {
    return this.#sources.has(source);
  }

  async seenAmong(source: string, ids: readonly string[]): Promise<Set<string>> {
    const seen = this.#sources.get(source)?.seen;
    return new Set(ids.filter((id) => seen?.has(id)));
  }

  async checksumsOf(source: string, pages: readonly string[]): Promise<StoredChecksums> {
    const stored = this.#sources.get(source)?.checksums;
    return new Map(pages.map((page) => [page, new Map(stored?.get(page))]));
  }

  async itemsAmong(source: string, keys: readonly string[]): Promise<Map<string, KnownItem>> {
    const items = this.#sources.get(source)?.items;
    return new Map(keys.flatMap((key) => [items?.get(key) ?? []].flat().map((item) => [key, item])));
  }

  async liveItemsOn(source: string, page: string, most: number): Promise<string[]> {
    return [...(this.#sources.get(source)?.liveItems.get(page) ?? [])].slice(0, most);
  }

  async pendingOf(source: string): Promise<PendingEvent[]> {
    return [...(this.#sources.get(source)?.pending.values() ?? [])];
  }

  async commit({ state, seenIds, checksums, items, pending, settledIds, changes }: TakenCommit): Promise<void> {
    const kept = this.#sources.get(state.source) ?? {
      state,
      seen: new Set(),
      checksums: new Map(),
      items: new Map(),
      liveItems: new Map(),
      pending: new Map(),
    };
    this.#sources.set(state.source, kept);
    kept.state = state;
    for (const id of seenIds) kept.seen.add(id);
    for (const edit of checksums) editChecksums(kept.checksums, edit);
    for (const item of items) keepItem(kept, item);
    for (const one of pending) kept.pending.set(one.event.id, one);
    for (const id of settledIds) kept.pending.delete(id);
    for (const change of changes) {
      this.changes.push(change);
      this.#told.push({ kind: 'page', provenance: {}, ...change, time: new Date(this.#now()).toISOString() });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function keepItem({ items, liveItems }: Kept, item: KnownItem): void {
  const before = items.get(item.key);
  if (before !== undefined) liveItems.get(before.page)?.delete(item.key);
  items.set(item.key, item);
  if (item.isRemoved) return;
  const live = liveItems.get(item.page) ?? new Set();
  liveItems.set(item.page, live.add(item.key));
}
