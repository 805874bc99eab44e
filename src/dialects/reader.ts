import type { LivePages } from '../crawl/live-page.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import type { Pauses } from '../fetch/pauses.ts';
import type { NamedHubs } from '../model/named-hubs.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { FeedChange, KnownItem } from './feed-change.ts';

/** Reads the feeds of one dialect. A reader writes nothing: the caller that delivers the changes commits them. */
export interface FeedReader {
  /** The name of its feed, with an article. */
  readonly noun: string;
  /** Its feeds describe the current state, not what happened: several edits of one page are reported as one. */
  readonly isSnapshot?: boolean;
  /** Its feeds report endpoints, not pages. */
  readonly isOfEndpoints?: boolean;
  /** Its changes are signed, and it has verified the signatures. */
  readonly verifies?: boolean;
  /** How long a visit may take, if that differs from other feeds. */
  readonly limits?: VisitLimits;
  /** Whether the URL alone shows that this dialect is spoken there. */
  recognizes?(url: URL): boolean;
  /** The entries under which the feeds of a URL may be stored. If one of them is stored, no other dialect is looked for. */
  entriesAt(url: URL): readonly string[];
  /** What a URL offers in this dialect, or why it offers nothing. Throws on failures that are temporary or that only a person can fix. */
  discover(question: FeedQuestion, ports: ReaderPorts): Promise<FeedOffer | NoOffer>;
}

/** The feed or feeds that a URL offers in one dialect. */
export interface FeedOffer {
  /**
   * What is new since the stored state, oldest first. Each batch is committed before the next one is requested. Each feed that was asked yields at
   * least one batch, even an empty one; if a reading fails, that batch comes before the error is thrown.
   */
  read(): AsyncGenerator<Batch, ReadingEnd>;
  /** If it reads pages itself: the pages that it reports, as found, while it is being read. */
  readonly pages?: LivePages;
  /** What the feed contains, in a few words for a person who tries it out. Reads as little as possible and stores nothing. */
  describe(): Promise<OfferFacts>;
}

export interface OfferFacts {
  /** `an AI Changefeed; the first event is …` */
  readonly words: string;
  /** The URL at which it is read. */
  readonly url: string;
  /** The time of its newest report, if known. */
  readonly newestMs?: number;
  /** The pages that it names, without fragments, if known at no cost. */
  readonly pages?: readonly string[];
  /** The hubs that can push its news at once, if known. */
  readonly hubs?: NamedHubs | undefined;
}

export interface NoOffer {
  readonly nothing: TidingsError;
}

export interface FeedQuestion {
  readonly url: URL;
  /** A person has named this dialect: the document at the URL is taken to be its feed. */
  readonly isNamed: boolean;
  /** Where to begin in a feed of which nothing is stored. */
  readonly since?: Since;
  /** For a service with several feeds: the only feeds that are wanted. */
  readonly sources?: readonly string[] | undefined;
  /** Sent only to the origin of the URL. */
  readonly apiKey?: string | undefined;
  /** A person asked for this visit: waits that a person may skip are skipped. */
  readonly isAsked?: boolean;
  /** A person has allowed many deletions. */
  readonly allowDeletes?: boolean;
  /** What a person can do to confirm many deletions or to trust a feed again. */
  readonly remedies?: { readonly deletes?: string; readonly trust?: string };
}

/** Where to begin: after an id, or at a time. With neither, at the start. */
export interface Since {
  readonly id?: string;
  readonly timeMs?: number;
}

/** Changes that were found together, with the reader's state to store once all of them were delivered. */
export interface Batch {
  /** The URL under which the feed is stored. */
  readonly entry: string;
  /** The default id of its source, if it is free and no other was configured. */
  readonly id: string;
  /** Oldest first. Can be iterated once. */
  readonly changes: Iterable<FeedChange>;
  /** JSON that only the reader understands. Committed in the transaction of the last change. Absent if unchanged. */
  readonly memory?: unknown;
  /** Items that are known from now on but are not reported. */
  readonly items?: readonly KnownItem[];
  /** The ids of changes that count as delivered but are not reported. */
  readonly seenIds?: readonly string[];
  /** The feed has reported nothing so far. */
  readonly isBlank?: boolean;
}

/** The result of a reading that was not interrupted. */
export interface ReadingEnd {
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs?: number | undefined;
  /** The feed must not be asked sooner, whatever interval a person configured. */
  readonly isBound?: boolean;
  /** No request was made: it was too early. */
  readonly isUnasked?: boolean;
  /** The feed is the same as at the last reading, and what was reported then still holds. */
  readonly isSame?: boolean;
  /** The hubs that can push its news at once, or that it names none. Absent if this reading has not seen that part of the feed. */
  readonly hubs?: NamedHubs | undefined;
  /** What could not be read while the rest was. With `of`, the number of feeds: if half of them fail, the whole reading counts as failed. */
  readonly unread?: { readonly errors: readonly TidingsError[]; readonly of?: number };
}

export interface VisitLimits {
  /** The longest time without a new event. */
  readonly idleMs: number;
  /** The longest time in total. */
  readonly totalMs: number;
}

/** The tools that a reader gets from its caller. */
export interface ReaderPorts {
  /** For protocol documents. */
  readonly http: HttpClient;
  /** Decompresses; fails if the result exceeds `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly remembered: Remembered;
  /** Opens a separate store for the reader. All callers that share the remembered state get the same one. */
  readonly storage: <T>(kind: StorageKind<T>) => T;
  /** Reports something that a person should know but that stops nothing. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Resolves after this time, or as soon as the signal is aborted. Without it, there are no waits. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Waits as long as the limits of a service require. Without it, each limit ends the reading. */
  readonly pauses?: Pauses | undefined;
  /** `http` remembers, across restarts, the pauses that hosts asked for: a reader need not store them. */
  readonly remembersPauses?: boolean;
  /** When each feed of a service may be asked again, across several readings: none is asked more often than it says (DD-G4). */
  readonly dueAt?: Map<string, number>;
}

/** The committed state of the feeds of one follower, for their readers. Unknown entries have no state. */
export interface Remembered {
  memoryOf(entry: string): Promise<unknown>;
  /** Those of `ids` that were delivered before. */
  seenAmong(entry: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** What is known about these items, by key. */
  itemsAmong(entry: string, keys: readonly string[]): Promise<ReadonlyMap<string, KnownItem>>;
  /** The keys of items of these entries on a page that are not removed: at most `most` per source, in any order. */
  liveItemsOn(entries: readonly string[], page: string, most: number): Promise<readonly string[]>;
}

/** Names a store that a reader keeps in addition to its memory, if the memory would become too large to write as a whole. */
export interface StorageKind<T> {
  readonly name: string;
  /** Creates a store that is lost when the process ends. */
  readonly inMemory: () => T;
  is(value: unknown): value is T;
}
