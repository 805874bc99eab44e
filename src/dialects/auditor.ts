import type { Action, Kind } from '../model/change.ts';
import type { DocumentSource } from './document-source.ts';

/**
 * The part of a dialect that says what its feeds tell, so that an audit can hold it against the provable log: each event stands there, and each change
 * that the feeds must tell is told.
 */
export interface FeedAuditor {
  /**
   * What the feeds at a place tell; undefined where it has none of this dialect. Throws an `UnreadableTargetError` where one cannot be read now: a feed that
   * nobody could read omits nothing.
   */
  read(source: DocumentSource): Promise<AuditedFeeds | undefined>;
}

export interface AuditedFeeds {
  /** Every event, in any order. */
  readonly told: readonly ToldEvent[];
  /** Whether a change must be among those that are told: one that is older than the feeds reach, or that the dialect has no words for, need not. */
  mustTell(change: LoggedChange): boolean;
}

/** An event of a feed. What the dialect does not say is absent, and is not compared. */
export interface ToldEvent {
  /** The id of the change. Absent where the dialect has ids of its own: then URL, anchor and action say which it is. */
  readonly id?: string;
  readonly url: string;
  readonly anchor?: string;
  readonly action?: Action;
  readonly time?: string;
  readonly checksum?: string;
  /** The document that it stands in, for messages. */
  readonly where: string;
}

/** A change as the provable log has it. */
export interface LoggedChange {
  readonly id: string;
  readonly seq: number;
  readonly source: string;
  readonly kind: Kind;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  readonly time: string;
  readonly checksum?: string;
}
