import type { FollowState, StateCommit } from '../follow/follow-state.ts';
import { MemoryFollowState } from '../follow/memory-follow-state.ts';
import { placeChanges } from '../log/place-changes.ts';
import { readBounds } from '../log/read-bounds.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import type {
  ChangeQuery,
  CheckRecord,
  HubStore,
  PageState,
  SourceCheck,
  SourcePages,
  VisitCommit,
  WatchedSource,
} from './hub-store.ts';

export interface MemoryHubStoreOptions {
  readonly now: () => number;
  readonly random: (size: number) => Uint8Array;
}

interface KeptPages {
  readonly pages: Map<string, PageState>;
  foundBy?: SourcePages['foundBy'];
}

const MAX_CHECKS = 500;

/** A hub's memory that ends with its process: for tests. */
export class MemoryHubStore implements HubStore {
  readonly log: Change[] = [];
  /** How often something was written by a visit. */
  commits = 0;
  readonly snapshots = new Map<string, string>();
  readonly #options: MemoryHubStoreOptions;
  readonly #sources = new Map<string, WatchedSource>();
  readonly #pages = new Map<string, KeptPages>();
  readonly #checks = new Map<string, CheckRecord[]>();
  readonly #follow = new Map<string, MemoryFollowState>();
  readonly #facts = new Map<string, string>();
  readonly #listeners: ((changes: readonly Change[]) => void)[] = [];

  constructor(options: MemoryHubStoreOptions) {
    this.#options = options;
  }

  async sources(): Promise<readonly WatchedSource[]> {
    return [...this.#sources.values()];
  }

  async putSource(source: WatchedSource): Promise<void> {
    this.#sources.set(source.config.id, source);
  }

  async removeSource(id: string): Promise<void> {
    for (const kept of [this.#sources, this.#pages, this.#checks, this.#follow]) kept.delete(id);
  }

  async pagesOf(source: string): Promise<SourcePages> {
    const { pages, foundBy } = this.#keptPages(source);
    return { pages: new Map(pages), ...(foundBy !== undefined && { foundBy }) };
  }

  async pageOf(source: string, url: string): Promise<PageState | undefined> {
    return this.#pages.get(source)?.pages.get(url);
  }

  async commit({ source, drafts, pages, snapshots = new Map() }: VisitCommit): Promise<readonly Change[]> {
    this.commits += 1;
    const changes = this.#place(drafts);
    for (const [name, text] of snapshots) this.snapshots.set(name, text);
    const kept = this.#keptPages(source);
    for (const state of pages?.put ?? []) kept.pages.set(state.record.url, state);
    for (const url of pages?.remove ?? []) kept.pages.delete(url);
    if (pages?.foundBy !== undefined) kept.foundBy = pages.foundBy;
    this.#append(changes);
    return changes;
  }

  async recordChecks(checks: readonly SourceCheck[]): Promise<void> {
    for (const { check, health } of checks) {
      const source = this.#sources.get(check.source);
      if (source === undefined) continue;
      const { allowDeletes, ...rest } = source;
      const staysAllowed = allowDeletes && check.outcome === 'error';
      this.#sources.set(check.source, { ...rest, ...(staysAllowed && { allowDeletes }), health });
      const kept = [check, ...(this.#checks.get(check.source) ?? [])];
      this.#checks.set(check.source, kept.slice(0, MAX_CHECKS));
    }
  }

  followStateOf(source: string): FollowState {
    const state = this.#follow.get(source) ?? new MemoryFollowState();
    this.#follow.set(source, state);
    return {
      find: (entry) => state.find(entry),
      isTaken: (id) => state.isTaken(id),
      seenAmong: (id, ids) => state.seenAmong(id, ids),
      checksumsOf: (id, pages) => state.checksumsOf(id, pages),
      pendingOf: (id) => state.pendingOf(id),
      commit: async (commit: StateCommit) => {
        this.commits += 1;
        const changes = this.#place(commit.changes.map((change) => ({ ...change, source })));
        await state.commit(commit);
        this.#append(changes);
      },
      async [Symbol.asyncDispose]() {},
    };
  }

  onChanges(listener: (changes: readonly Change[]) => void): void {
    this.#listeners.push(listener);
  }

  async *changes({ source, ...range }: ChangeQuery): AsyncGenerator<Change> {
    const { after, limit } = readBounds(range);
    const wanted = this.log.filter(
      (change) => change.seq > after && (source === undefined || change.source === source),
    );
    yield* wanted.slice(0, limit);
  }

  async lastChange(): Promise<Change | undefined> {
    return this.log.at(-1);
  }

  async changeById(id: string): Promise<Change | undefined> {
    return this.log.find((change) => change.id === id);
  }

  async recentChanges(limit: number): Promise<readonly Change[]> {
    return this.log.toReversed().slice(0, limit);
  }

  async checksOf(source: string, limit: number): Promise<readonly CheckRecord[]> {
    return (this.#checks.get(source) ?? []).slice(0, limit);
  }

  async snapshot(checksum: string): Promise<string | undefined> {
    return this.snapshots.get(checksum);
  }

  async dropSnapshots(beforeMs: number): Promise<number> {
    const kept = new Set<unknown>();
    for (const { pages } of this.#pages.values()) for (const { snapshot } of pages.values()) kept.add(snapshot);
    const recent = this.log.filter(({ time }) => Date.parse(time) >= beforeMs);
    for (const { provenance } of recent) kept.add(provenance.before).add(provenance.after);
    const dropped = [...this.snapshots.keys()].filter((name) => !kept.has(name));
    for (const name of dropped) this.snapshots.delete(name);
    return dropped.length;
  }

  async fact(name: string): Promise<string | undefined> {
    return this.#facts.get(name);
  }

  async putFact(name: string, value: string): Promise<void> {
    this.#facts.set(name, value);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #keptPages(source: string): KeptPages {
    const kept = this.#pages.get(source) ?? { pages: new Map() };
    this.#pages.set(source, kept);
    return kept;
  }

  #place(drafts: readonly ChangeDraft[]): readonly Change[] {
    const { now, random } = this.#options;
    return placeChanges(drafts, { last: this.log.at(-1), nowMs: now(), random });
  }

  #append(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.log.push(...changes);
    for (const listener of this.#listeners) listener(changes);
  }
}
