import type { ChangeDraft } from '../model/change.ts';
import {
  editChecksums,
  type FollowState,
  type PendingEvent,
  type SourceState,
  type StateCommit,
  type StoredChecksums,
} from './follow-state.ts';

interface Kept {
  state: SourceState;
  readonly seen: Set<string>;
  readonly checksums: StoredChecksums;
  readonly pending: Map<string, PendingEvent>;
}

/** For a follower that is asked to remember nothing after it ends, and for tests. */
export class MemoryFollowState implements FollowState {
  readonly changes: ChangeDraft[] = [];
  readonly #sources = new Map<string, Kept>();

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

  async pendingOf(source: string): Promise<PendingEvent[]> {
    return [...(this.#sources.get(source)?.pending.values() ?? [])];
  }

  async commit({ state, seenIds, checksums, pending, settledIds, changes }: StateCommit): Promise<void> {
    const kept = this.#sources.get(state.source) ?? {
      state,
      seen: new Set(),
      checksums: new Map(),
      pending: new Map(),
    };
    this.#sources.set(state.source, kept);
    kept.state = state;
    for (const id of seenIds) kept.seen.add(id);
    for (const edit of checksums) editChecksums(kept.checksums, edit);
    for (const one of pending) kept.pending.set(one.event.id, one);
    for (const id of settledIds) kept.pending.delete(id);
    this.changes.push(...changes);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
