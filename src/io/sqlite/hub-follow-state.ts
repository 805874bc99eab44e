import type { KnownItem } from '../../dialects/feed-change.ts';
import type {
  PendingEvent,
  SourceState,
  StateCommit,
  StoredChecksums,
  TakenCommit,
} from '../../follow/follow-state.ts';
import type { SourceFeedState, StatePart } from '../../hub/store/source-feed-state.ts';
import type { ChangeDraft } from '../../model/change.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored, FollowTables } from './follow-tables.ts';
import type { LogDatabase, SqliteLog } from './log.ts';

/** What is remembered of the feed of a source. Without a state the reading position is unchanged. */
export interface FollowWrite extends Omit<StateCommit, 'state' | 'changes'> {
  readonly source: string;
  readonly state?: SourceState;
}

/** What is appended of a feed, and remembered in the same step. */
export interface FeedPart {
  readonly drafts: readonly ChangeDraft[];
  readonly write: FollowWrite;
}

/** Where the readers of a hub's feeds keep what they remember. */
export class HubFollowTables {
  readonly log: SqliteLog;
  readonly events: FollowTables;
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;

  constructor({ log, database, file }: LogDatabase) {
    this.log = log;
    this.events = new FollowTables(database, 'hub_follow', file);
    this.#file = file;
    this.#sql = prepare(database);
  }

  find(source: string, entry: string): SourceState | undefined {
    const row = this.log.ask(() => this.#sql.find.get(source, entry)) as { readonly body: string } | undefined;
    return row === undefined ? undefined : (decodeStored(row.body, this.#file) as SourceState);
  }

  /** Within the caller's transaction. */
  write({ source, state, ...told }: FollowWrite): void {
    if (state !== undefined) this.#sql.put.run(source, state.entry, JSON.stringify({ ...state, source }));
    this.events.write(source, told);
  }

  /** Within the caller's transaction. */
  forget(source: string): void {
    this.#sql.forget.run(source);
    this.events.forget(source);
  }
}

/**
 * The memory of the reader of one source of a hub: a position for each of its entries, and the events of all of them together, so that a fallback does not
 * repeat what the feed itself has reported.
 *
 * Whatever id the reader would give to the source, it is the hub's.
 */
export class HubFollowState implements SourceFeedState {
  readonly #source: string;
  readonly #tables: HubFollowTables;
  readonly #append: (parts: readonly FeedPart[]) => Promise<unknown>;

  constructor(source: string, tables: HubFollowTables, append: (parts: readonly FeedPart[]) => Promise<unknown>) {
    this.#source = source;
    this.#tables = tables;
    this.#append = append;
  }

  async find(entry: string): Promise<SourceState | undefined> {
    return this.#tables.find(this.#source, entry);
  }

  async isTaken(): Promise<boolean> {
    return false;
  }

  async seenAmong(_source: string, ids: readonly string[]): Promise<Set<string>> {
    return this.#tables.log.ask(() => this.#tables.events.seenAmong(this.#source, ids));
  }

  async checksumsOf(_source: string, pages: readonly string[]): Promise<StoredChecksums> {
    return this.#tables.log.ask(() => this.#tables.events.checksumsOf(this.#source, pages));
  }

  async itemsAmong(_source: string, keys: readonly string[]): Promise<Map<string, KnownItem>> {
    return this.#tables.log.ask(() => this.#tables.events.itemsAmong(this.#source, keys));
  }

  async liveItemsOn(_source: string, page: string, most: number): Promise<string[]> {
    return this.#tables.log.ask(() => this.#tables.events.liveItemsOn(this.#source, page, most));
  }

  async pendingOf(): Promise<PendingEvent[]> {
    return this.#tables.log.ask(() => this.#tables.events.pendingOf(this.#source));
  }

  async commit(commit: TakenCommit, earlier: readonly StatePart[] = []): Promise<void> {
    const source = this.#source;
    const parts = earlier.map(({ changes, ...told }) => ({
      drafts: this.#ownDrafts(changes),
      write: { source, ...told, pending: [], settledIds: [] },
    }));
    const { changes, ...told } = commit;
    await this.#append([...parts, { drafts: this.#ownDrafts(changes), write: { source, ...told } }]);
  }

  #ownDrafts(drafts: Iterable<ChangeDraft>): ChangeDraft[] {
    return Array.from(drafts, (draft) => ({ ...draft, source: this.#source }));
  }

  /** The store is not this reader's to close. */
  async [Symbol.asyncDispose](): Promise<void> {}
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    find: sql('SELECT body FROM hub_follow_entries WHERE source = ? AND entry = ?'),
    put: sql('INSERT OR REPLACE INTO hub_follow_entries VALUES (?, ?, ?)'),
    forget: sql('DELETE FROM hub_follow_entries WHERE source = ?'),
  };
}
