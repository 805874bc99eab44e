import type { Action, Hints } from '../model/change.ts';

/** One event of a followed feed, as the follower hands it on. Keys come out in this order. */
export interface FollowedEvent {
  /** The publisher's. */
  readonly id: string;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  /** What the event invalidates: the page, or `page#anchor`. */
  readonly boundary: string;
  readonly time: string;
  readonly checksum?: string;
  readonly note?: string;
  /** What extensions of the feed add: chunk and billing hints. */
  readonly hints?: Hints;
  readonly source: string;
  readonly dialect: 'aicf';
  /** The boundary as it reads now. Only when content was asked for. */
  readonly markdown?: string;
  /** The checksum is the one that was last processed for this boundary: there is nothing to do. */
  readonly unchanged?: true;
  /** The page has no such section any more, so `boundary` and `markdown` are the whole page. */
  readonly anchorMissing?: true;
  /** Why there is no `markdown`, finally. */
  readonly contentError?: string;
}

/** Something that a person should know and that stops nothing. */
export interface Diagnostic {
  readonly level: 'warn' | 'error';
  /** Permanent name of the kind: `bad-line`, `ids-go-back`, `gap`, `last-id-missing`, `media-type`, `withheld`, `poll-failed`. */
  readonly code: string;
  readonly message: string;
}

export interface FollowStatus {
  readonly url: string;
  readonly phase: 'polling' | 'waiting' | 'failing';
  /** Until the next poll of this source. */
  readonly nextPollInMs?: number;
}
