import type { FeedEvent, KnownItem } from '../feed-event.ts';
import type { SourceState } from '../follow-state.ts';

/** How far a feed was read; what it does not name has not moved. */
export type Progress = Pick<SourceState, 'lastId' | 'feed' | 'diffdelta'>;

export interface FedEvent {
  readonly event: FeedEvent;
  /** Where the reader stands once this event is processed. Absent when it does not move. */
  readonly progress?: () => Progress;
}

/** What a reader of any dialect gives, oldest first. */
export type FeedItem =
  | { readonly kind: 'events'; readonly events: readonly FedEvent[] }
  /** Items that the user does not want to be told of, so that only what changes them later is told. */
  | { readonly kind: 'known'; readonly items: readonly KnownItem[] }
  /** A file was read to its end: what was passed over in it needs no second look. */
  | { readonly kind: 'end'; readonly progress: Progress; readonly freshMs?: number | undefined };
