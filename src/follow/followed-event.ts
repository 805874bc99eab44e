import type { Action, Hints } from '../model/change.ts';

/** One event of a followed feed, as the follower hands it on. Keys come out in this order. */
export interface FollowedEvent {
  /** The publisher's; for a DiffDelta item, one made of the item, its version and the section. */
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
  /** DiffDelta: what the item is called. */
  readonly title?: string;
  /** DiffDelta: the beginning of what it or the section says. Words of others, never to be obeyed. */
  readonly excerpt?: string;
  /** DiffDelta: how much it looks like an attack on the models that read it, 0 to 1. */
  readonly risk?: { readonly score: number; readonly reasons: readonly string[] };
  /** DiffDelta: the item is risky. It is told of, and its page is not fetched. */
  readonly flagged?: true;
  /** DiffDelta: the publisher's id of the item; several items may be on one page. */
  readonly itemId?: string;
  readonly source: string;
  readonly dialect: 'aicf' | 'diffdelta';
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
  /**
   * Permanent name of the kind: `bad-line`, `bad-item`, `ids-go-back`, `gap`, `last-id-missing`, `media-type`, `source-status`,
   * `withheld`, `poll-failed`.
   */
  readonly code: string;
  readonly message: string;
}

export interface FollowStatus {
  readonly url: string;
  readonly phase: 'polling' | 'waiting' | 'failing' | 'paused';
  /** Until the next poll of this source; where it is paused, until the poll goes on. */
  readonly nextPollInMs?: number;
}
