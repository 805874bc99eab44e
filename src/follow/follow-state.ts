import type { KnownSource } from '../dialects/resourcesync/harvest/harvested.ts';
import type { Validators } from '../fetch/response-headers.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { FeedEvent, KnownItem } from './feed-event.ts';

/** The last event line that was processed, and how far the file was read behind it. */
export interface FeedPosition {
  readonly lineStart: number;
  readonly lineBytes: number;
  readonly lineHash: string;
  readonly lineNumber: number;
  /** Where the last line begins that needs no second look: this event's line, or a bad or blank one behind it. */
  readonly readTo: number;
}

/** What is known of the current feed file. */
export interface KnownFeed {
  readonly url: string;
  readonly position?: FeedPosition;
  /** Of the last version that was read to its end. */
  readonly validators: Validators;
}

/** How far a DiffDelta feed was read. */
export interface KnownRun {
  /** Of the last run of which every item was handed on. Absent before the first one. */
  readonly cursor?: string;
  /** Of the head, and of the feed where there is no head, when nothing was left to read. */
  readonly validators?: Validators;
  /** Of the feed that a head has led to. */
  readonly latestValidators?: Validators;
  readonly ttlSec?: number;
  /** Where reading the archives was broken off. */
  readonly walk?: ArchiveWalk;
}

/** The archives between the last run that was handed on and a later one. */
export interface ArchiveWalk {
  /** Those that are to be handed on, newest first. */
  readonly urls: readonly string[];
  /** The one to look at next on the way back; absent when the way back was gone to its end. */
  readonly next?: string;
}

/** How far the facts of an agent-feed were handed on. */
export interface KnownSurface {
  readonly feedUrl: string;
  /** Of the last fact that was handed on; 0 before the first one. */
  readonly seq: number;
  /** Its endpoints were told to be gone, and how. */
  readonly ended?: 'terminated' | 'migrated';
}

/** What is known of a feed for people (Atom, RSS, JSON Feed). Its items are known by themselves. */
export interface KnownWebFeed {
  /** Of the last version that was read. */
  readonly validators?: Validators;
  /** How many items it had. */
  readonly count: number;
  /** The newest moment that one of its items claims. */
  readonly newestMs?: number;
  /** Of a feed that says it is complete, or did so: what is in it. */
  readonly live?: readonly LiveItem[];
}

export interface LiveItem {
  /** Of the {@link KnownItem}. */
  readonly key: string;
  /** As the feed has it. */
  readonly id: string;
  readonly url: string;
  readonly anchor?: string;
  readonly title?: string;
}

export interface SourceState {
  /** `[a-z0-9_]+`, unique in the state. */
  readonly source: string;
  /** The discovery document or feed that this source is read from. */
  readonly entry: string;
  readonly discovery?: { readonly text: string; readonly validators: Validators };
  readonly lastId?: string;
  /** Absent while an earlier file of a rotated feed is being read. */
  readonly feed?: KnownFeed;
  /** Present if and only if the entry is one of DiffDelta; empty for the manifest of a service. */
  readonly diffdelta?: KnownRun;
  /** Present if and only if the entry is an origin with an agent-feed. */
  readonly agentFeed?: KnownSurface;
  /** Present if and only if the entry is a Source Description of ResourceSync. */
  readonly resourcesync?: KnownSource;
  /** Present if and only if the entry is a feed for people. */
  readonly webFeed?: KnownWebFeed;
  /** Of the manifest of a service: the entry of the feed with which the next poll begins, where the last one was cut short. */
  readonly turn?: string;
}

/** An event that waits for its page. */
export interface PendingEvent {
  readonly event: FeedEvent;
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
