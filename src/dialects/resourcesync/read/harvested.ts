import type { ChangeKind } from '../../../codecs/resourcesync/wire.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import type { Validators } from '../../../fetch/response-headers.ts';

/** One change that a Change List tells and that was not told before. */
export interface HarvestedChange {
  /** Names it among all of its source: from the collection, the address, the kind and the moment of the change. */
  readonly key: string;
  readonly loc: string;
  readonly change: ChangeKind;
  /** Milliseconds since 1970: the beginning of what was written, where that was a whole day. */
  readonly datetimeMs: number;
  /** The end of what was written. */
  readonly endMs: number;
  /** What was written, where that is less than a day: `2026-11`. */
  readonly datetime?: string;
  readonly title?: string;
  /** The anchors of the sections that changed, where the author says so. */
  readonly sections: readonly string[];
  /** Whether the address is on the collection's own site. Others never become links. */
  readonly isOwn: boolean;
}

/** What identifies a collection, and what is said about it. */
export interface CollectionFacts {
  /** The URL that it describes. */
  readonly describes: string;
  readonly capabilityList: string;
  /** Of the collection, where its metadata could be read. */
  readonly title?: string;
  readonly author?: string;
  /** Of the whole site. */
  readonly site?: Metadata;
  /** When the metadata was last asked for. */
  readonly metadataMs?: number;
}

/** What is said about a site or a collection. */
export interface Metadata {
  readonly title?: string;
  readonly author?: string;
}

/** What is remembered of a collection between two checks. */
export interface KnownCollection extends CollectionFacts {
  /** What its feed is called. Never changes. */
  readonly name: string;
  /** When the last check that read all it needed began. */
  readonly markMs: number;
  /** Change Lists that were read to their end. */
  readonly lists: readonly KnownList[];
  /** So many changes of pages on other sites were not told. */
  readonly leftOut?: number;
}

export interface KnownList {
  readonly url: string;
  /** As the index writes it: of a list that is closed. */
  readonly until?: string;
  readonly validators?: Validators;
}

/** What a follower remembers of a ResourceSync source. */
export interface KnownSource {
  /** By the normalized URL that each describes. */
  readonly collections: Readonly<Record<string, KnownCollection>>;
  /** What of the log stands in feeds, where those are files. */
  readonly projected?: ProjectedFeeds;
}

/** What this reader itself has written. */
export function decodeKnownSource(memory: unknown): KnownSource | undefined {
  return memory as KnownSource | undefined;
}

export interface ProjectedFeeds {
  /** Of the last change that was looked at. */
  readonly seq: number;
  /** The feeds that were written, by name. */
  readonly names: readonly string[];
  /** Older entries were left out of a feed, for want of a place for archives. */
  readonly isCut?: boolean;
}

/** A collection that was read to its end. Changes are in the order of their moments, as far as that is known: see `orderChanges`. */
export interface CollectionReading {
  readonly is: 'read';
  /** What to remember once the changes are kept. */
  readonly known: KnownCollection;
  readonly changes: readonly HarvestedChange[];
  /** Whether nothing was known of it before. */
  readonly isFirst: boolean;
  /** What the author should know: entries that were left out, links that are missing. */
  readonly notes: readonly string[];
  /** What the author has to mend although all was read. */
  readonly faults: readonly Fault[];
}

export interface Fault {
  readonly url: string;
  /** The clause that it breaks. */
  readonly code: string;
  readonly message: string;
}

/** A collection, or a document that leads to some, that could not be read. It changes nothing. */
export interface CollectionFailure {
  readonly is: 'failed';
  /** Absent where it is not known which collection it would have been. */
  readonly describes?: string;
  readonly url: string;
  readonly error: TidingsError;
}
