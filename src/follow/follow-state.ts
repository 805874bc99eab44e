import type { FeedChange, KnownItem } from '../dialects/feed-change.ts';
import type { ChangeDraft } from '../model/change.ts';

/** What is remembered of one feed. */
export interface SourceState {
  /** `[a-z0-9_]+`, unique in the state. */
  readonly source: string;
  /** The document that the feed is read from. */
  readonly entry: string;
  /** Whose reader has written the memory. */
  readonly dialect: string;
  /** JSON of the reader. Absent before the first batch was handed on to its end. */
  readonly memory?: unknown;
}

/** An event that waits for its page. */
export interface PendingEvent {
  readonly event: FeedChange;
  readonly tries: number;
  readonly reason: string;
}

/**
 * What a processed event does to the stored checksums: those of its page (page event) or of its section and of
 * the whole page (section event) are forgotten, then its own is stored, if it has one that counts (T-AICF-4).
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
  /** Each replaces what was known under its key; later ones win. */
  readonly items: readonly KnownItem[];
  /** New ones go behind the others; known ones keep their place. */
  readonly pending: readonly PendingEvent[];
  readonly settledIds: readonly string[];
  /** What was handed on, for the log. */
  readonly changes: readonly ChangeDraft[];
}

/** What a state takes: it goes through the changes once, so that many need not be held at once. */
export interface TakenCommit extends Omit<StateCommit, 'changes'> {
  readonly changes: Iterable<ChangeDraft>;
}

/**
 * What a follower remembers between polls.
 *
 * `commit` is all or nothing and durable when it resolves; the log grows in the same step as the position, so that the
 * one never says more than the other. One follower at a time: opening a second one fails with `FollowLockedError`.
 * The cost of every call follows its arguments, never the size of the feed.
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
  /** What is known of these items, by key. */
  itemsAmong(source: string, keys: readonly string[]): Promise<Map<string, KnownItem>>;
  /** The keys of items on a page that are not removed: at most `most` of them, any. */
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
