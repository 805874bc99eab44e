import type { Uses } from './uses.ts';

export type Action = 'create' | 'update' | 'delete';
export type Kind = 'page' | 'endpoint';
/** What an anchor is where it is no id: the key of a section, made of its headings. */
export type AnchorKind = 'key';

/** How a change was learned. Keys are added by the stage that knows them. */
export interface Provenance {
  /** `compare` for our own reading of two versions, else the dialect of the feed that said so. */
  readonly by?: string;
  /** The id under which the feed of origin published this change. */
  readonly originId?: string;
  /** What the origin wrote of when it happened, where that is less than a day: `2026-11`. */
  readonly claimed?: string;
  /** Fingerprint of the whole page after this change; lets a reader rebuild page state from the log alone. */
  readonly pageChecksum?: string;
  /** When a new page says that it was published, RFC 3339. A claim, not a fact. */
  readonly published?: string;
  /** The hubs that it came through, see hub-path.ts. Absent where it was found here, or came from its origin itself. */
  readonly via?: string;
  /** Version of the extractor that read the page. */
  readonly extractor?: string;
  readonly [key: string]: string | number | boolean | undefined;
}

/** What extensions of a feed add to a change, under the names that AICF §11 gives them. */
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
 * One immutable record of the log: something that changed, wherever it was learned.
 *
 * `seq` counts from 1 without holes in commit order; `id` is a monotonic ULID in the same order.
 * `url` never has a fragment: the section is named by `anchor`.
 */
export interface Change {
  readonly seq: number;
  readonly id: string;
  readonly source: string;
  readonly kind: Kind;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  /** `key` where no element of the page has the anchor as its id: it names the section, and a link to it leads to the page. */
  readonly anchorIs?: AnchorKind;
  /**
   * When we learned of it, RFC 3339 in UTC. Never earlier than the time of the change before it. Changes that were
   * appended together and are of one source share it, and no others of that source have it: it names their run.
   */
  readonly time: string;
  /** When the origin says it happened. A claim, not a fact. */
  readonly claimedTime?: string;
  /** `sha256:<hex>` of the boundary's content. Absent on delete. */
  readonly checksum?: string;
  readonly title?: string;
  /** What stands above the section now, as plain text. Only with an anchor. */
  readonly heading?: string;
  readonly summary?: string;
  /** The beginning of what the boundary says now, as plain text. Absent on delete. */
  readonly excerpt?: string;
  /** What a short section said before it changed, whole and as plain text. Absent where that is not known. */
  readonly before?: string;
  readonly note?: string;
  /** How much its page looks like an attack on the models that read it: 0 to 1. Absent: not at all, or not looked at. */
  readonly risk?: number;
  /** The names of the rules that say so. */
  readonly riskReasons?: readonly string[];
  /** What its publisher says of the use of its page, when it was read. Absent where nothing is refused or granted, or nobody asked. */
  readonly uses?: Uses;
  /** Only where an extension was on when the change was learned. */
  readonly hints?: Hints;
  /**
   * 32 random bytes as lower-case hex for each text of this change that the provable log knows by its salted hash only, under the name of its
   * field. Only in the log of a published site.
   */
  readonly salts?: Readonly<Record<string, string>>;
  readonly provenance: Provenance;
}

/** A change before the log has given it its place. The log fills in what is left out. */
export interface ChangeDraft extends Omit<Change, 'seq' | 'id' | 'kind' | 'time' | 'provenance'> {
  readonly kind?: Kind;
  readonly time?: string;
  readonly provenance?: Provenance;
}
