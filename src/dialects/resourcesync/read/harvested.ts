import type { ChangeKind } from '../../../codecs/resourcesync/wire.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import type { Validators } from '../../../fetch/response-headers.ts';

/** One change in a Change List that was not reported before. */
export interface HarvestedChange {
  /** Identifies it within its source, by the collection, the address, the kind and the time of the change. */
  readonly key: string;
  readonly loc: string;
  readonly change: ChangeKind;
  /** Milliseconds since 1970: the start of the written time span, such as a whole day. */
  readonly datetimeMs: number;
  /** The end of the written time span. */
  readonly endMs: number;
  /** The written text, if it is less exact than a day: `2026-11`. */
  readonly datetime?: string;
  readonly title?: string;
  /** The anchors of the sections that changed, if the author states them. */
  readonly sections: readonly string[];
  /** Whether the address is on the collection's own site. Other addresses never become links. */
  readonly isOwn: boolean;
}

/** What identifies and describes a collection. */
export interface CollectionFacts {
  /** The URL that it describes. */
  readonly describes: string;
  readonly capabilityList: string;
  /** The title of the collection, if its metadata could be read. */
  readonly title?: string;
  readonly author?: string;
  /** Metadata of the whole site. */
  readonly site?: Metadata;
  /** When the metadata was last requested. */
  readonly metadataMs?: number;
}

/** Metadata of a site or a collection. */
export interface Metadata {
  readonly title?: string;
  readonly author?: string;
}

/** What is remembered about a collection between two checks. */
export interface KnownCollection extends CollectionFacts {
  /** The name of its feed. It never changes. */
  readonly name: string;
  /** When the last complete check began. */
  readonly markMs: number;
  /** Change Lists that were read completely. */
  readonly lists: readonly KnownList[];
  /** How many changes of pages on other sites were left out. */
  readonly leftOut?: number;
}

export interface KnownList {
  readonly url: string;
  /** The text in the index, for a closed list. */
  readonly until?: string;
  readonly validators?: Validators;
}

/** What a follower remembers about a ResourceSync source. */
export interface KnownSource {
  /** By the normalized URL that each collection describes. */
  readonly collections: Readonly<Record<string, KnownCollection>>;
  /** How much of the log is in feeds, if those are files. */
  readonly projected?: ProjectedFeeds;
}

/** Memory that this reader itself has written. */
export function decodeKnownSource(memory: unknown): KnownSource | undefined {
  return memory as KnownSource | undefined;
}

export interface ProjectedFeeds {
  /** The seq of the last change that was processed. */
  readonly seq: number;
  /** The feeds that were written, by name. */
  readonly names: readonly string[];
  /** Older entries were left out of a feed because there is no place for archives. */
  readonly isCut?: boolean;
}

/** A collection that was read completely. Its changes are in order of time, as far as that is known: see `orderChanges`. */
export interface CollectionReading {
  readonly is: 'read';
  /** What to remember once the changes are stored. */
  readonly known: KnownCollection;
  readonly changes: readonly HarvestedChange[];
  /** Whether nothing was known about it before. */
  readonly isFirst: boolean;
  /** Remarks for the author: entries that were left out, links that are missing. */
  readonly notes: readonly string[];
  /** What the author has to fix although everything was read. */
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
  /** Absent if it is not known which collection it would have been. */
  readonly describes?: string;
  readonly url: string;
  readonly error: TidingsError;
}
