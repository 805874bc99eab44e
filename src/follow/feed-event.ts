import type { Action, Hints } from '../model/change.ts';

/** One event of a followed feed, as the reader of its dialect gives it. An AICF event is one as it stands. */
export interface FeedEvent {
  /** Unique among the events of a source. */
  readonly id: string;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  readonly time: string;
  readonly checksum?: string;
  readonly note?: string;
  readonly hints?: Hints;
  /** Of a DiffDelta item, and of nothing else. */
  readonly item?: ItemFacts;
}

/** What a DiffDelta item says beside that something changed. */
export interface ItemFacts {
  readonly id: string;
  /** The source of the service that it belongs to. */
  readonly source: string;
  readonly title?: string;
  readonly excerpt?: string;
  /** Absent where the event is of a page on which the item is no longer. */
  readonly risk?: { readonly score: number; readonly reasons: readonly string[] };
  readonly flagged?: true;
  /** What is remembered of it once the event was taken. Absent where more events of the item follow. */
  readonly known?: KnownItem;
}

/** What is remembered of an item, so that it is told once and its next change is told for what it is. */
export interface KnownItem {
  /** Names the item within the state of a source. */
  readonly key: string;
  /** Its URL without a fragment. */
  readonly page: string;
  /** Changes with its content. */
  readonly version: string;
  readonly isRemoved: boolean;
  /** How often it had changed, where its server counts that. */
  readonly revision?: number;
}
