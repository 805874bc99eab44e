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
  /** Going on could do harm: a person has to look first. */
  readonly isStop?: true;
}

/** What the checks of a source have left behind: what shelves may know of it, and what only the hub does. */
export interface SourceHealth extends ShelfSourceHealth, VolatileParts {
  /** Of the last check, when it failed. */
  readonly error?: CheckError;
  /** Asked for by a host of the source; the last check met it. It may be over. */
  readonly pause?: HostPause;
  /** Pages or files that the last good check could not read; absent when it read all. */
  readonly unread?: number;
  /** What a person should know of the last good check, at most 20 lines; absent when there is nothing. */
  readonly notes?: readonly string[];
  /** By which its pages were read, the newest first; absent where there never were rules. */
  readonly rules?: readonly GivenRules[];
  /** By what it is read, of a source that is followed by the best way there is. */
  readonly ladder?: LadderState;
  /** Whether its feed told the truth about a few pages. Absent where it has none, or nobody looked yet. */
  readonly honesty?: HonestyStanding;
  /** The rhythm as it is now. */
  readonly intervalMs: number;
  /** The time between two checks, while somebody tells of its news at once and it is asked less often for that. */
  readonly restMs?: number;
  readonly dueAtMs: number;
  /** How many checks there were; absent before the first. */
  readonly looks?: number;
  /** Between the newest checks that found changes, newest last; at most 20. */
  readonly changeGapsMs: readonly number[];
}

export interface WatchedSource {
  readonly config: SourceConfig;
  /** Where it was named: what stands in the config can be changed only there. */
  readonly origin: 'config' | 'api';
  readonly addedAtMs: number;
  /** Whose it is: the owner of the API key that added it. Absent: the admin's. */
  readonly owner?: string;
  /** Why it is not checked. */
  readonly paused?: string;
  /** Who paused it: its owner, the owner of its domain, or that its key counts no more. Absent: the admin. */
  readonly pausedBy?: 'owner' | 'domain' | 'key';
  /** The next check may take much for gone. */
  readonly allowDeletes?: true;
  /** It stood in the config and does not any more. Nobody watches it; who names it again goes on where it was left. */
  readonly dropped?: true;
  readonly health: SourceHealth;
}

export type CheckWord = 'ok' | 'fallback' | 'error';

/** One look at a source, also one that found nothing. */
export interface CheckRecord {
  readonly source: string;
  readonly atMs: number;
  readonly tookMs: number;
  readonly outcome: CheckWord;
  readonly changes: number;
  /** How many pages the source has now, where that is known. */
  readonly pages?: number;
  /** Pages or files that could not be read and stay as they were. */
  readonly unread?: number;
  /** Of what a person should know, the first lines. */
  readonly notes?: readonly string[];
  readonly error?: CheckError;
}

export interface PageState {
  readonly record: PageRecord;
  /** The name of the snapshot of its Markdown, where it is kept. */
  readonly snapshot?: string;
  /** When a visit first found it gone. It is believed when a later one finds so, too. */
  readonly missingSinceMs?: number;
  /** Of a page that is missing: the page, told as new, which says what it said. */
  readonly movedTo?: string;
}

export interface SourcePages {
  readonly pages: ReadonlyMap<string, PageState>;
  readonly foundBy?: FoundBy;
}

/** Of a source's pages, what is to be written. */
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

/** A finished check, and how the source stands behind it. */
export interface SourceCheck {
  readonly check: CheckRecord;
  readonly health: SourceHealth;
}

export interface ChangeQuery extends ReadRange {
  readonly source?: string;
}

/**
 * Everything a hub remembers, in one place with its log.
 *
 * Each method that writes is one transaction, durable when it resolves; what it throws (LogFullError,
 * LogUnavailableError) means that nothing of it was kept. `commit` appends to the log in the same step in which it moves
 * the pages on, so that no change is lost or doubled by a crash. One of many pages is several such steps, and one run: it is shown when all of
 * it is there, and what it throws means that the rest was not kept. What drops something goes in steps, too. Every change of every commit, those of feeds
 * included, is handed to the listeners once, in order of `seq`, before the method resolves.
 *
 * One writer per data folder: opening a second one fails with {@link LogLockedError}. Readers of the same folder, in
 * other processes, see whole commits only.
 */
export interface HubStore extends AsyncDisposable {
  /** In order of id, dropped ones included. */
  sources(): Promise<readonly WatchedSource[]>;
  /** Adds them or replaces those of the same ids, all in one step. */
  putSources(sources: readonly WatchedSource[]): Promise<void>;
  /** Forgets the source, its pages, checks and reading position. Its changes stay in the log. */
  removeSource(id: string): Promise<void>;
  pagesOf(source: string): Promise<SourcePages>;
  pageOf(source: string, url: string): Promise<PageState | undefined>;
  /** Some pages of a source behind an address, in order of addresses. Its cost does not follow how many there are in all. */
  pagesBehind(source: string, url: string, limit: number): Promise<readonly PageState[]>;
  commit(visit: VisitCommit): Promise<readonly Change[]>;
  /** Writes down finished checks, of many sources in one step; of a source that is gone, nothing. Ends `allowDeletes` of those that were read. */
  recordChecks(checks: readonly SourceCheck[]): Promise<void>;
  /** What the reader of a feed remembers. Its `commit` is one of this store, under the given source id. */
  followStateOf(source: string): SourceFeedState;
  /** A store of a reader's own, which outlives the sources that use it. Of a store that may write. */
  storage<T>(kind: StorageKind<T>): T;
  onChanges(listener: (changes: readonly Change[]) => void): void;
  /** Called with each change that has lost texts, as it stands then, whoever took them out: what holds it in memory lets the old one go. */
  onRedactions(listener: (change: Change) => void): void;
  /** How many redactions there were, ever: what was made of the log under another number may hold texts that are gone. From memory. */
  redactions(): number;

  /** In order of `seq`; of one source when the query names it. */
  changes(query: ChangeQuery): AsyncIterable<Change>;
  lastChange(): Promise<Change | undefined>;
  changeById(id: string): Promise<Change | undefined>;
  /** Those with these `seq`s, in that order; what the log does not have is left out. */
  changesAt(seqs: readonly number[]): Promise<readonly Change[]>;
  /** The newest change whose id is not greater, be it in the log or not. */
  lastChangeUpTo(id: string): Promise<Change | undefined>;
  /** Where the log begins; undefined while it was never cut. From memory. */
  logStart(): LogStart | undefined;
  /**
   * The log begins behind that change from now on: nobody is shown what stands before, and it is dropped bit by bit. Whoever calls
   * it has an archive of that, and documents that need it no more. The newest change stays.
   */
  cutLog(seq: number): Promise<void>;
  /** Of the newest change that is older than that moment; 0 when there is none. */
  seqBefore(timeMs: number): Promise<number>;
  /** Of the newest change behind which no more than that is stored; 0 when all of the log fits. Reckoned from the newest changes. */
  seqBeyond(bytes: number): Promise<number>;
  /** The id of the newest change of a source. Its cost does not follow the length of the log. */
  lastChangeIdOf(source: string): Promise<string | undefined>;
  /** Whether a feed has told of this page under this source. Its cost does not follow the length of the log. */
  hasTold(source: string, url: string): Promise<boolean>;
  /** Newest first; of one source where it is named. Its cost does not follow the length of the log. */
  recentChanges(limit: number, source?: string): Promise<readonly Change[]>;
  /** Newest first, at most 500 of a source are kept. */
  checksOf(source: string, limit: number): Promise<readonly CheckRecord[]>;
  snapshot(checksum: string): Promise<string | undefined>;
  /** Drops the snapshots that no page has now and that no change since `beforeMs` names. */
  dropSnapshots(beforeMs: number): Promise<number>;
  /** The moment before which all snapshots were last used that do not fit into so many bytes; 0 when all fit. */
  snapshotsBeyond(bytes: number): Promise<number>;
  /** Drops the checks of all sources that ended before. */
  dropChecks(beforeMs: number): Promise<void>;
  /** The moment before which all checks were made that do not fit into so many bytes, to the hour; 0 when all fit. */
  checksBeyond(bytes: number): Promise<number>;
  /** Small facts of the hub itself, such as the hash of its token. */
  fact(name: string): Promise<string | undefined>;
  putFact(name: string, value: string): Promise<void>;
}
