import type { Action, Kind } from '../model/change.ts';
import type { DocumentSource } from './document-source.ts';

/**
 * The part of a dialect that lists what its feeds report, so that an audit can compare it with the provable log: each event must be in the log, and
 * each change that the feeds must report must be reported.
 */
export interface FeedAuditor {
  /**
   * What each feed at a place reports; empty if the place has no feed of this dialect. The URL of a live place is its base, with a final slash.
   * Throws an `UnreadableTargetError` if a feed cannot be read now: an unread feed proves no omission.
   */
  read(source: DocumentSource, scope: AuditScope): Promise<readonly AuditedFeed[]>;
}

/** The range of an audit. */
export interface AuditScope {
  /** Sources of a hub whose separate feeds are audited in addition to those of all sources. */
  readonly sources: readonly string[];
  /** Earlier changes are not looked for: older archives need not be read. */
  readonly sinceMs: number;
}

/** One feed with its archives. */
export interface AuditedFeed {
  /** Its address, for messages. */
  readonly where: string;
  /** Every event, in any order. */
  readonly told: readonly ToldEvent[];
  /** Whether the feed must report a change. It need not report one that is older than the feed reaches or that the dialect cannot express. */
  mustTell(change: LoggedChange): boolean;
  /** The names that the feed may give a change. Absent if its events have no names. */
  namesOf?(change: LoggedChange): readonly string[];
}

/** An event of a feed. Fields that the dialect does not express are absent and are not compared. */
export interface ToldEvent {
  /** The id of the change. Absent if the dialect has different ids: then the other fields identify the change. */
  readonly id?: string;
  /** One of the names that the feed gives to changes. */
  readonly name?: string;
  readonly source?: string;
  readonly url?: string;
  /** Null if the event means the whole page. */
  readonly anchor?: string | null;
  readonly action?: Action;
  readonly timeMs?: number;
  readonly checksum?: string;
  /** The document that contains it, for messages. */
  readonly where: string;
}

/** A change as the provable log holds it. */
export interface LoggedChange {
  /** Its place among all entries. */
  readonly index: number;
  readonly id: string;
  readonly seq: number;
  readonly source: string;
  readonly kind: Kind;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  readonly time: string;
  readonly timeMs: number;
  readonly checksum?: string;
  /** It is the last change of its run: no other change of its source has the same time and a higher `seq`. */
  readonly endsRun: boolean;
}
