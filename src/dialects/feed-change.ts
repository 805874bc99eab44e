import type { Action, AnchorKind, Hints, Kind, Provenance } from '../model/change.ts';
import type { Uses } from '../model/uses.ts';

/** One change that a feed reports, in the shape that all dialects share. */
export interface FeedChange {
  /** Unique among the changes of a source: a change is delivered once per id. */
  readonly id: string;
  /** A page if absent. */
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
  /** Absent if the feed does not say. */
  readonly risk?: { readonly score: number; readonly reasons: readonly string[] };
  /** It is risky: its page is not fetched. */
  readonly flagged?: true;
  /** Which uses of its page are refused or granted. */
  readonly uses?: Uses;
  /** For a feed with items: the publisher's id of the item that changed. One page may have several items. */
  readonly itemId?: string;
  readonly provenance: Provenance & { readonly by: string; readonly originId?: string };
  /** What to store about the item after this change was delivered. Absent if more changes of the item follow, or if there is no item. */
  readonly known?: KnownItem;
  /** The pages themselves already reported it: it is stored but not reported again. Readers do not set this. */
  readonly isTold?: true;
}

/** What is stored about an item, so that it is reported once and its next change is reported correctly. */
export interface KnownItem {
  /** Identifies the item within the state of a source. */
  readonly key: string;
  /** Its URL without a fragment. */
  readonly page: string;
  /** Changes with its content. */
  readonly version: string;
  readonly isRemoved: boolean;
  /** How often it had changed, if its server counts that. */
  readonly revision?: number;
}
