import type { Action, Kind } from '../model/change.ts';
import type { DocumentSource } from './document-source.ts';

/**
 * The part of a dialect that says what its feeds tell, so that an audit can hold it against the provable log: each event stands there, and each change
 * that the feeds must tell is told.
 */
export interface FeedAuditor {
  /**
   * What the feeds at a place tell, each by itself; none where it has none of this dialect. The URL of a live place is its base, with a final slash.
   * Throws an `UnreadableTargetError` where one cannot be read now: a feed that nobody could read omits nothing.
   */
  read(source: DocumentSource, scope: AuditScope): Promise<readonly AuditedFeed[]>;
}

/** How far an audit looks. */
export interface AuditScope {
  /** Sources of a hub whose own feeds are looked at beside those of all sources. */
  readonly sources: readonly string[];
  /** Changes before that moment are not looked for: archives that are older need not be read. */
  readonly sinceMs: number;
}

/** One feed with its archives. */
export interface AuditedFeed {
  /** Its address, for messages. */
  readonly where: string;
  /** Every event, in any order. */
  readonly told: readonly ToldEvent[];
  /** Whether a change must be among those that are told: one that is older than the feed reaches, or that the dialect has no words for, need not. */
  mustTell(change: LoggedChange): boolean;
  /** The names that the feed may give a change. Absent where its events have none of their own. */
  namesOf?(change: LoggedChange): readonly string[];
}

/** An event of a feed. What the dialect does not say is absent, and is not compared. */
export interface ToldEvent {
  /** The id of the change. Absent where the dialect has ids of its own: then the rest says which it is. */
  readonly id?: string;
  /** One of the names that the feed gives changes. */
  readonly name?: string;
  readonly source?: string;
  readonly url?: string;
  /** Null where it says that the whole page is meant. */
  readonly anchor?: string | null;
  readonly action?: Action;
  readonly timeMs?: number;
  readonly checksum?: string;
  /** The document that it stands in, for messages. */
  readonly where: string;
}

/** A change as the provable log has it. */
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
  /** No other change of its source has its time and a higher `seq`: it is the last of its run. */
  readonly endsRun: boolean;
}
