import type { Uses } from './uses.ts';

export type Action = 'create' | 'update' | 'delete';
export type Kind = 'page' | 'endpoint';
/** The kind of an anchor that is not an id: the key of a section, derived from its headings. */
export type AnchorKind = 'key';

/** How a change was learned. Keys are added by the stage that knows them. */
export interface Provenance {
  /** `compare` if we compared two versions ourselves, otherwise the dialect of the feed that reported the change. */
  readonly by?: string;
  /** The id under which the feed of origin published this change. */
  readonly originId?: string;
  /** When the origin says it happened, if it states no full date: `2026-11`. */
  readonly claimed?: string;
  /** Fingerprint of the whole page after this change. It lets a reader rebuild the page state from the log alone. */
  readonly pageChecksum?: string;
  /** The publication time that a new page states, RFC 3339. A claim, not a fact. */
  readonly published?: string;
  /** The hubs that it came through, see hub-path.ts. Absent if it was found here or came directly from its origin. */
  readonly via?: string;
  /** Version of the extractor that read the page. */
  readonly extractor?: string;
  readonly [key: string]: string | number | boolean | undefined;
}

/** What the extensions of a feed add to a change, under the names of AICF §11. */
export interface Hints {
  readonly chunk_id?: string;
  readonly section_checksum?: string;
  readonly embed_ref?: string;
  readonly plan?: string;
  readonly unit?: string;
  readonly size?: number;
  readonly nonce?: string;
}

/**
 * One immutable record of the log: something that changed, no matter how we learned of it.
 *
 * `seq` counts from 1 without holes in commit order; `id` is a monotonic ULID in the same order.
 * `url` never has a fragment: `anchor` names the section.
 */
export interface Change {
  readonly seq: number;
  readonly id: string;
  readonly source: string;
  readonly kind: Kind;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  /** `key` if no element of the page has the anchor as its id. The anchor then names the section, and a link to it leads to the page. */
  readonly anchorIs?: AnchorKind;
  /**
   * When we learned of it, RFC 3339 in UTC. Never earlier than the time of the preceding change. All changes of one source that were appended
   * together share this time, and no other change of that source has it: it names their run.
   */
  readonly time: string;
  /** When the origin says it happened. A claim, not a fact. */
  readonly claimedTime?: string;
  /** `sha256:<hex>` of the boundary's content. Absent on delete. */
  readonly checksum?: string;
  readonly title?: string;
  /** The current heading of the section, as plain text. Only with an anchor. */
  readonly heading?: string;
  readonly summary?: string;
  /** The beginning of the boundary's current text, as plain text. Absent on delete. */
  readonly excerpt?: string;
  /** The complete text of a short section before the change, as plain text. Absent if unknown. */
  readonly before?: string;
  readonly note?: string;
  /** How much its page looks like an attack on the models that read it, from 0 to 1. Absent: not at all, or not examined. */
  readonly risk?: number;
  /** The names of the rules that matched. */
  readonly riskReasons?: readonly string[];
  /** What the publisher said about uses of the page when it was read. Absent if nothing is refused or granted, or the terms were not read. */
  readonly uses?: Uses;
  /** Present only if an extension was on when the change was learned. */
  readonly hints?: Hints;
  /**
   * 32 random bytes as lower-case hex for each text of this change of which the provable log holds only the salted hash, keyed by field name. Only in
   * the log of a published site.
   */
  readonly salts?: Readonly<Record<string, string>>;
  readonly provenance: Provenance;
}

/** A change that the log has not placed yet. The log fills in the missing fields. */
export interface ChangeDraft extends Omit<Change, 'seq' | 'id' | 'kind' | 'time' | 'provenance'> {
  readonly kind?: Kind;
  readonly time?: string;
  readonly provenance?: Provenance;
}
