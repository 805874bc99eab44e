import type { Action, AnchorKind } from '../model/change.ts';

/** The difference between two readings of one page. The log adds times, ids and places. */
export interface PageChange {
  readonly action: Action;
  readonly url: string;
  /** The section that changed; absent if the whole page changed. Never on a delete. */
  readonly anchor?: string;
  /** `key` if no element of the page has the anchor as its id. */
  readonly anchorIs?: AnchorKind;
  /** Fingerprint of what changed: of the section with an anchor, otherwise of the page. Absent on delete. */
  readonly checksum?: string;
  /** The page's title after the change; for a deleted page, its last one. */
  readonly title?: string;
  /** The old text of the section. Only if both texts are known and differ. */
  readonly before?: string;
  /** A short hint for machines, such as `text-edit`. */
  readonly note?: string;
  /** One sentence for people. */
  readonly summary?: string;
}
