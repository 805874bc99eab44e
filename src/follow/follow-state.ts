import type { FeedChange, KnownItem } from '../dialects/feed-change.ts';
import type { ChangeDraft } from '../model/change.ts';

/** What is stored about one feed. */
export interface SourceState {
  /** `[a-z0-9_]+`, unique in the state. */
  readonly source: string;
  /** The URL of the document from which the feed is read. */
  readonly entry: string;
  /** The dialect whose reader wrote the memory. */
  readonly dialect: string;
  /** JSON of the reader. Absent until the first batch was delivered completely. */
  readonly memory?: unknown;
}

/** An event that waits for its page. */
export interface PendingEvent {
  readonly event: FeedChange;
  readonly tries: number;
  readonly reason: string;
}

/**
 * What a processed event does to the stored checksums. Those of its page (page event), or of its section and of the whole page (section event), are
 * removed; then its own is stored, if it has a valid one (T-AICF-4).
 */
export interface ChecksumEdit {
  readonly page: string;
  readonly boundary: string;
  readonly checksum?: string;
}

/** Per page, per boundary. */
export type StoredChecksums = Map<string, Map<string, string>>;

export interface StateCommit {
  /** Replaces what was stored for this source. */
  readonly state: SourceState;
  readonly seenIds: readonly string[];
  readonly checksums: readonly ChecksumEdit[];
  /** Each replaces the item with the same key; later ones win. */
  readonly items: readonly KnownItem[];
  /** New ones are added at the end; known ones keep their place. */
  readonly pending: readonly PendingEvent[];
  readonly settledIds: readonly string[];
  /** The delivered changes, for the log. */
  readonly changes: readonly ChangeDraft[];
}

/** The input of a commit: the state iterates the changes once, so that many need not be in memory. */
export interface TakenCommit extends Omit<StateCommit, 'changes'> {
  readonly changes: Iterable<ChangeDraft>;
}

/**
 * What a follower stores between polls.
 *
 * `commit` is all or nothing and durable when it resolves. The log grows in the same transaction as the position, so they always agree. One follower
 * at a time: opening a second one fails with `FollowLockedError`. The cost of every call depends on its arguments, never on the size of the feed.
 *
 * Every implementation passes `describeFollowState()` in follow-state.contract.ts.
 */
export interface FollowState extends AsyncDisposable {
  find(entry: string): Promise<SourceState | undefined>;
  /** Whether another entry already has this id. */
  isTaken(source: string): Promise<boolean>;
  /** Those of `ids` that were processed before. */
  seenAmong(source: string, ids: readonly string[]): Promise<Set<string>>;
  checksumsOf(source: string, pages: readonly string[]): Promise<StoredChecksums>;
  /** What is known about these items, by key. */
  itemsAmong(source: string, keys: readonly string[]): Promise<Map<string, KnownItem>>;
  /** The keys of items on a page that are not removed: at most `most`, in any order. */
  liveItemsOn(source: string, page: string, most: number): Promise<string[]>;
  /** Oldest first. */
  pendingOf(source: string): Promise<PendingEvent[]>;
  commit(commit: TakenCommit): Promise<void>;
}

/** Applies an edit to checksums in memory, as `commit` does to the stored ones. */
export function editChecksums(stored: StoredChecksums, { page, boundary, checksum }: ChecksumEdit): void {
  const ofPage = boundary === page ? new Map<string, string>() : (stored.get(page) ?? new Map<string, string>());
  ofPage.delete(page);
  ofPage.delete(boundary);
  if (checksum !== undefined) ofPage.set(boundary, checksum);
  stored.set(page, ofPage);
}
