import type { LivePages } from '../crawl/live-page.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import type { Pauses } from '../fetch/pauses.ts';
import type { NamedHubs } from '../model/named-hubs.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { FeedChange, KnownItem } from './feed-change.ts';

/** Reads the feeds of one dialect. Whoever hands on what it reads commits it; a reader writes nothing. */
export interface FeedReader {
  /** What its feed is called, with an article. */
  readonly noun: string;
  /** Its feeds say how things are, and not what happened: several edits of one page are told as one. */
  readonly isSnapshot?: boolean;
  /** Its feeds tell of endpoints and not of pages. */
  readonly isOfEndpoints?: boolean;
  /** What it gives is signed, and it has verified that. */
  readonly verifies?: boolean;
  /** How long a visit may take, where that differs from other feeds. */
  readonly limits?: VisitLimits;
  /** Whether the address alone says that this dialect is spoken there. */
  recognizes?(url: URL): boolean;
  /** The entries under which what a URL offers may be remembered. Where one of them is, no other dialect is looked for. */
  entriesAt(url: URL): readonly string[];
  /** What a URL offers in this dialect, or why nothing. Throws what may pass, or what only a person can mend. */
  discover(question: FeedQuestion, ports: ReaderPorts): Promise<FeedOffer | NoOffer>;
}

/** The feed, or the feeds, that a URL offers in one dialect. */
export interface FeedOffer {
  /**
   * What is new since what is remembered, oldest first. Each batch is committed before the next one is asked for. Of each feed that
   * was asked there is at least one batch, also an empty one; where a reading fails, it comes before the error is thrown.
   */
  read(): AsyncGenerator<Batch, ReadingEnd>;
  /** Where it reads pages itself: those that it tells of, as it has found them, while it is being read. */
  readonly pages?: LivePages;
  /** What there is, in a few words for a person who tries it out. Reads as little as tells that. Nothing is remembered. */
  describe(): Promise<OfferFacts>;
}

export interface OfferFacts {
  /** `an AI Changefeed; the first event is …` */
  readonly words: string;
  /** Where it is read. */
  readonly url: string;
  /** When it told of something last, where that is known. */
  readonly newestMs?: number;
  /** The pages that it names, without fragments, where that is known at no cost. */
  readonly pages?: readonly string[];
  /** The hubs that can tell of its news at once, where that is known. */
  readonly hubs?: NamedHubs | undefined;
}

export interface NoOffer {
  readonly nothing: TidingsError;
}

export interface FeedQuestion {
  readonly url: URL;
  /** A person has named this dialect: what stands at the URL is taken to be its feed. */
  readonly isNamed: boolean;
  /** Where a feed begins of which nothing is remembered. */
  readonly since?: Since;
  /** Of a service with several feeds: the only ones that are wanted. */
  readonly sources?: readonly string[] | undefined;
  /** For the origin of the URL alone. */
  readonly apiKey?: string | undefined;
  /** A person asked for it: what only a person may hasten need not be waited for. */
  readonly isAsked?: boolean;
  /** A person said that much may be gone. */
  readonly allowDeletes?: boolean;
  /** What a person can do who means that much is gone, or that a feed is to be trusted again. */
  readonly remedies?: { readonly deletes?: string; readonly trust?: string };
}

/** Where to begin: behind an id, or at a time. With neither, at the start. */
export interface Since {
  readonly id?: string;
  readonly timeMs?: number;
}

/** Changes that were found together, with what is to be remembered of the feed once all of them were handed on. */
export interface Batch {
  /** Under which the feed is remembered: a URL. */
  readonly entry: string;
  /** The id that its source gets, if that is free and nobody gave it another. */
  readonly id: string;
  /** Oldest first. Gone through once. */
  readonly changes: Iterable<FeedChange>;
  /** JSON that only the reader understands. Committed in the transaction of the last change. Absent where it has not moved. */
  readonly memory?: unknown;
  /** Items that are known from now on and are not told. */
  readonly items?: readonly KnownItem[];
  /** Changes that count as handed on and are not told, by their ids. */
  readonly seenIds?: readonly string[];
  /** The feed has told nothing so far. */
  readonly isBlank?: boolean;
}

/** How a reading ended that was not broken off. */
export interface ReadingEnd {
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs?: number | undefined;
  /** Nobody may ask sooner, whatever a person gave. */
  readonly isBound?: boolean;
  /** Nobody was asked: it was too early. */
  readonly isUnasked?: boolean;
  /** It says what it said at the last reading, and what was reported then still holds. */
  readonly isSame?: boolean;
  /** The hubs that can tell of its news at once, also where it names none. Absent where this reading has not seen what it says of them. */
  readonly hubs?: NamedHubs | undefined;
  /** What could not be read, where the rest was. `of` tells how many feeds there are, where half of them count as none. */
  readonly unread?: { readonly errors: readonly TidingsError[]; readonly of?: number };
}

export interface VisitLimits {
  /** Without a new event. */
  readonly idleMs: number;
  /** In all. */
  readonly totalMs: number;
}

/** What a reader works with. */
export interface ReaderPorts {
  /** For protocol documents. */
  readonly http: HttpClient;
  /** Decompresses, and fails on more than `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly remembered: Remembered;
  /** Opens a store of the reader's own. The same one for everybody who shares what is remembered. */
  readonly storage: <T>(kind: StorageKind<T>) => T;
  /** Something that a person should know and that stops nothing. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Resolves after so long, or as soon as the signal is aborted. Without it nothing is waited for. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Waits out what limits of a service ask for. Without it each of them ends the reading. */
  readonly pauses?: Pauses | undefined;
  /** `http` remembers, over restarts, what hosts asked for: a reader keeps no pauses of its own. */
  readonly remembersPauses?: boolean;
  /** When each feed of a service may be asked again, over several readings: none is asked more often than it says (DD-G4). */
  readonly dueAt?: Map<string, number>;
}

/** What was committed of the feeds of one follower, for their readers. What is not known of an entry is nothing. */
export interface Remembered {
  memoryOf(entry: string): Promise<unknown>;
  /** Those of `ids` that were handed on before. */
  seenAmong(entry: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** What is known of these items, by key. */
  itemsAmong(entry: string, keys: readonly string[]): Promise<ReadonlyMap<string, KnownItem>>;
  /** The keys of items of these entries on a page that are not removed: of each source at most `most`, any. */
  liveItemsOn(entries: readonly string[], page: string, most: number): Promise<readonly string[]>;
}

/** Names a store that a reader keeps beside its memory, where that would grow too large to be written as a whole. */
export interface StorageKind<T> {
  readonly name: string;
  /** A new one that forgets. */
  readonly inMemory: () => T;
  is(value: unknown): value is T;
}
