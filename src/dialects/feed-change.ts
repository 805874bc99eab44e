import type { Action, AnchorKind, Hints, Kind, Provenance } from '../model/change.ts';
import type { Uses } from '../model/uses.ts';

/** One change that a feed tells, in the shape that all dialects share. */
export interface FeedChange {
  /** Unique among the changes of a source: what was handed on under it is not handed on again. */
  readonly id: string;
  /** A page, unless said otherwise. */
  readonly kind?: Kind;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  readonly anchorIs?: AnchorKind;
  /** When the publisher says that it happened. */
  readonly time?: string;
  readonly checksum?: string;
  readonly note?: string;
  readonly hints?: Hints;
  readonly title?: string;
  readonly summary?: string;
  readonly excerpt?: string;
  /** Absent where the feed does not say. */
  readonly risk?: { readonly score: number; readonly reasons: readonly string[] };
  /** It is risky: its page is not fetched. */
  readonly flagged?: true;
  /** What is refused or granted of the use of its page. */
  readonly uses?: Uses;
  /** Of a feed that has items: the publisher's id of the one that changed. Several may be on one page. */
  readonly itemId?: string;
  readonly provenance: Provenance & { readonly by: string; readonly originId?: string };
  /** What is remembered of the item once this change was handed on. Absent where more changes of it follow, or there is none. */
  readonly known?: KnownItem;
  /** It was told already, by the pages themselves: it is remembered, and not told again. Not for readers to say. */
  readonly isTold?: true;
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
