import type { Action, AnchorKind } from '../model/change.ts';

/** What two readings of one page say about it. Times, ids and places are the log's. */
export interface PageChange {
  readonly action: Action;
  readonly url: string;
  /** The section that changed; absent when the change is the whole page's. Never on a delete. */
  readonly anchor?: string;
  /** Where no element of the page has the anchor as its id. */
  readonly anchorIs?: AnchorKind;
  /** Fingerprint of what changed: the section's with an anchor, else the page's. Absent on delete. */
  readonly checksum?: string;
  /** The page's title after the change; of one that is gone, its last. */
  readonly title?: string;
  /** What the section said before. Only where both texts are known and differ. */
  readonly before?: string;
  /** A short hint for machines, such as `text-edit`. */
  readonly note?: string;
  /** One sentence for people. */
  readonly summary?: string;
}
