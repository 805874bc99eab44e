import type { StorageKind } from '../../dialects/reader.ts';
import type { ShelfSourceHealth } from '../../dialects/shelf.ts';
import type { HostPause } from '../../fetch/host-pauses.ts';
import type { LadderState } from '../../follow/ladder.ts';
import type { ReadRange } from '../../log/log.ts';
import type { LogStart } from '../../log/log-start.ts';
import type { PageRecord } from '../../log/pages-file.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import type { HonestyStanding } from '../../model/honesty-standing.ts';
import type { FoundBy } from '../../model/page.ts';
import type { VolatileParts } from '../../model/volatile-parts.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { SourceFeedState } from './source-feed-state.ts';

/** Why a check failed, as DiffDelta words it (DD-E8). */
export interface CheckError {
  /** The permanent name of the error, like `DnsError`. */
  readonly code: string;
  readonly httpStatus?: number;
  readonly message: string;
  /** Continuing could do harm: a person has to look first. */
  readonly isStop?: true;
}

/** What the checks of a source have recorded: what shelves may know, and what only the hub knows. */
export interface SourceHealth extends ShelfSourceHealth, VolatileParts {
  /** The error of the last check, if it failed. */
  readonly error?: CheckError;
  /** A pause that a host of the source asked for during the last check. It may be over. */
  readonly pause?: HostPause;
  /** Pages or files that the last good check could not read; absent if it read all. */
  readonly unread?: number;
  /** What a person should know about the last good check, at most 20 lines; absent if there is nothing. */
  readonly notes?: readonly string[];
  /** The rules by which its pages were read, newest first; absent if there never were any. */
  readonly rules?: readonly GivenRules[];
  /** How a source of kind `auto` is read now: by its feed or by its pages. */
  readonly ladder?: LadderState;
  /** Whether its feed told the truth about a few pages. Absent if it has no feed, or no sample was taken yet. */
  readonly honesty?: HonestyStanding;
  /** The current interval between checks. */
  readonly intervalMs: number;
  /** The longer time between two checks while a hub pushes news of the source. */
  readonly restMs?: number;
  readonly dueAtMs: number;
  /** The number of checks so far; absent before the first. */
  readonly looks?: number;
  /** The gaps between the newest checks that found changes, newest last; at most 20. */
  readonly changeGapsMs: readonly number[];
}

export interface WatchedSource {
  readonly config: SourceConfig;
  /** Where it was added. A source of the config can be changed only there. */
  readonly origin: 'config' | 'api';
  readonly addedAtMs: number;
  /** The owner of the API key that added it. Absent: the admin. */
  readonly owner?: string;
  /** Why it is not checked. */
  readonly paused?: string;
  /** Who paused it: its owner, the owner of its domain, or the end of its key. Absent: the admin. */
  readonly pausedBy?: 'owner' | 'domain' | 'key';
  /** The next check may treat many pages as deleted. */
  readonly allowDeletes?: true;
  /** It was in the config and is no longer. Nobody watches it; if it is named again, it continues where it stopped. */
  readonly dropped?: true;
  readonly health: SourceHealth;
}

export type CheckWord = 'ok' | 'fallback' | 'error';

/** One check of a source, including those that found nothing. */
export interface CheckRecord {
  readonly source: string;
  readonly atMs: number;
  readonly tookMs: number;
  readonly outcome: CheckWord;
  readonly changes: number;
  /** How many pages the source has now, if known. */
  readonly pages?: number;
  /** Pages or files that could not be read; their stored state is unchanged. */
  readonly unread?: number;
  /** The first lines of what a person should know. */
  readonly notes?: readonly string[];
  readonly error?: CheckError;
}

export interface PageState {
  readonly record: PageRecord;
  /** The name of the snapshot of its Markdown, if one is kept. */
  readonly snapshot?: string;
  /** When a visit first found it gone. A later visit must confirm this. */
  readonly missingSinceMs?: number;
  /** For a missing page: the new page that has its content. */
  readonly movedTo?: string;
}

export interface SourcePages {
  readonly pages: ReadonlyMap<string, PageState>;
  readonly foundBy?: FoundBy;
}

/** The writes to make to the pages of a source. */
export interface PageEdits {
  readonly put: readonly PageState[];
  readonly remove: readonly string[];
  readonly foundBy?: FoundBy;
}

export interface VisitCommit {
  readonly source: string;
  readonly drafts: readonly ChangeDraft[];
  readonly pages?: PageEdits;
  /** Texts by their `sha256:<hex>` names. */
  readonly snapshots?: ReadonlyMap<string, string>;
}

/** A finished check, and the health of the source after it. */
export interface SourceCheck {
  readonly check: CheckRecord;
  readonly health: SourceHealth;
}

export interface ChangeQuery extends ReadRange {
  readonly source?: string;
}

/**
 * Everything a hub remembers, stored together with its log.
 *
 * Each method that writes is one transaction, durable when it resolves. If it throws (LogFullError, LogUnavailableError), nothing was stored. `commit` appends
 * to the log and updates the pages in the same step, so that a crash neither loses nor doubles a change. A commit of many pages takes several such steps but
 * is one run: it becomes visible when it is complete, and if it throws, the rest was not stored. Methods that drop something also work in steps. Every change
 * of every commit, including those of feeds, is passed to the listeners once, in order of `seq`, before the method resolves.
 *
 * There is one writer per data folder: opening a second one fails with {@link LogLockedError}. Readers of the same folder in other processes see whole commits
 * only.
 */
export interface HubStore extends AsyncDisposable {
  /** In order of id, dropped ones included. */
  sources(): Promise<readonly WatchedSource[]>;
  /** Adds them, or replaces those with the same ids, all in one step. */
  putSources(sources: readonly WatchedSource[]): Promise<void>;
  /** Forgets the source with its pages, checks and reading position. Its changes stay in the log. */
  removeSource(id: string): Promise<void>;
  pagesOf(source: string): Promise<SourcePages>;
  pageOf(source: string, url: string): Promise<PageState | undefined>;
  /** Pages of a source that come after an address, in order of address. The cost does not depend on how many there are in all. */
  pagesBehind(source: string, url: string, limit: number): Promise<readonly PageState[]>;
  commit(visit: VisitCommit): Promise<readonly Change[]>;
  /** Stores finished checks of many sources in one step; ignores those of removed sources. Ends `allowDeletes` of sources that were read. */
  recordChecks(checks: readonly SourceCheck[]): Promise<void>;
  /** The memory of the reader of a feed. Its `commit` is one of this store, under the given source id. */
  followStateOf(source: string): SourceFeedState;
  /** A separate store for a reader, which outlives the sources that use it. Only in a store that may write. */
  storage<T>(kind: StorageKind<T>): T;
  onChanges(listener: (changes: readonly Change[]) => void): void;
  /** Called with each change that has lost texts, in its new form, whoever redacted it. Listeners replace the old form that they hold in memory. */
  onRedactions(listener: (change: Change) => void): void;
  /** The number of redactions so far. Anything built from the log under another number may hold texts that are gone. From memory. */
  redactions(): number;

  /** In order of `seq`; only of one source if the query names it. */
  changes(query: ChangeQuery): AsyncIterable<Change>;
  lastChange(): Promise<Change | undefined>;
  changeById(id: string): Promise<Change | undefined>;
  /** The changes with these `seq`s, in that order; those that the log does not have are left out. */
  changesAt(seqs: readonly number[]): Promise<readonly Change[]>;
  /** The newest change whose id is not greater than this one, which need not be in the log. */
  lastChangeUpTo(id: string): Promise<Change | undefined>;
  /** Where the log begins; undefined if it was never cut. From memory. */
  logStart(): LogStart | undefined;
  /**
   * From now on the log begins after that change: earlier ones are hidden at once and dropped step by step. The caller has an archive of them, and documents
   * that no longer need them. The newest change stays.
   */
  cutLog(seq: number): Promise<void>;
  /** The `seq` of the newest change that is older than that time; 0 if there is none. */
  seqBefore(timeMs: number): Promise<number>;
  /** The `seq` of the newest change after which no more than so many bytes are stored; 0 if the whole log fits. Estimated from the newest changes. */
  seqBeyond(bytes: number): Promise<number>;
  /** The id of the newest change of a source. The cost does not depend on the length of the log. */
  lastChangeIdOf(source: string): Promise<string | undefined>;
  /** Whether a feed has reported this page under this source. The cost does not depend on the length of the log. */
  hasTold(source: string, url: string): Promise<boolean>;
  /** Newest first; only of one source if it is named. The cost does not depend on the length of the log. */
  recentChanges(limit: number, source?: string): Promise<readonly Change[]>;
  /** Newest first. At most 500 are kept per source. */
  checksOf(source: string, limit: number): Promise<readonly CheckRecord[]>;
  snapshot(checksum: string): Promise<string | undefined>;
  /** Drops snapshots that belong to no current page and to no change since `beforeMs`. */
  dropSnapshots(beforeMs: number): Promise<number>;
  /** The time before which snapshots must be dropped to fit into so many bytes; 0 if all fit. */
  snapshotsBeyond(bytes: number): Promise<number>;
  /** Drops the checks of all sources that ended before this time. */
  dropChecks(beforeMs: number): Promise<void>;
  /** The time before which checks must be dropped to fit into so many bytes, to the hour; 0 if all fit. */
  checksBeyond(bytes: number): Promise<number>;
  /** Small facts of the hub itself, such as the hash of its token. */
  fact(name: string): Promise<string | undefined>;
  putFact(name: string, value: string): Promise<void>;
}
