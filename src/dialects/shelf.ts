import type { Route } from '../hub/http/route.ts';
import type { LogStart } from '../log/log-start.ts';
import type { Change } from '../model/change.ts';
import type { Extensions } from '../model/extensions.ts';
import type { ShelfExport } from './shelf-export.ts';
import type { ShelfStorage } from './shelf-storage.ts';
import type { StepRelays } from './step-relay.ts';

/** How the documents of a dialect are kept ready in a hub. */
export interface ShelfKind {
  /** Resolves when the documents are up to date with the log. `world` knows all sources by then. */
  open(world: ShelfWorld): Promise<Shelf>;
  /** What was published from the log and is stored outside its database. Absent if everything is in the database. */
  published?(storage: ShelfStorage): PublishedDocuments | undefined;
  /** Its documents as files for a static host, from data that another process may be writing. Undefined if no hub has made any yet. */
  exported(world: ExportWorld): ShelfExport | undefined;
  /** Documents in the data of a hub that do not match its log or contradict themselves. Absent: there is nothing to compare them with. */
  faults?(world: ExportWorld): AsyncIterable<DocumentFault>;
}

/** A document that is not as it must be. */
export interface DocumentFault {
  /** Relative to the hub, without a leading slash. */
  readonly path: string;
  /** What is wrong, in one sentence. */
  readonly what: string;
}

/** A change as documents report it: fields that they do not contain are absent, and `provenance.recovered` is set. */
export type PublishedChange = Omit<Change, 'seq'>;

/** Documents on disk that show what a lost or restored log contained. They are only read. */
export interface PublishedDocuments {
  /** The id of the newest change that they report; undefined if they report none. */
  newestId(): Promise<string | undefined>;
  /** What they report after that id, in such a form that the same documents can be derived from it again, byte for byte. */
  tailAfter(id: string): Promise<PublishedTail>;
}

export interface PublishedTail {
  /** The newest change that they report up to that id. */
  readonly knownId: string | undefined;
  /** In order of their ids. */
  readonly changes: readonly PublishedChange[];
}

/** Documents that follow the log of a hub. {@link LogFollower} implements this for most. */
export interface FollowingDocuments extends AsyncDisposable {
  /** The newest `seq` that all of them include; Infinity if they do not depend on the log. */
  readonly seq: number;
  /** Why they lag behind the log; undefined if they do not. */
  readonly trouble: string | undefined;
  /**
   * Takes the changes of a commit, in order of `seq`, and resolves when they can be found. Changes that cannot be stored are taken by the next `add`
   * or `mend`. A closed shelf takes nothing more: the next opening finds the changes in the log.
   */
  add(changes: readonly Change[]): Promise<void>;
  /** Takes everything that the log has in addition, and everything that could not be stored. */
  mend(): Promise<void>;
}

/** The documents of a dialect that a hub keeps ready beside its log. What was served once stays true, even after a crash. */
export interface Shelf extends FollowingDocuments {
  /** Reports that the state of sources may have changed: checked, paused, resumed, added, removed. */
  restate?(ids: Iterable<string>): Promise<void>;
  /**
   * Resolves when everything that it has taken from the log is durable, so that the next start need not read the log from further back. Absent:
   * everything is durable at once, or is rebuilt at each start.
   */
  secure?(): Promise<void>;
  /** The log was truncated and begins elsewhere. Served documents stay as they are; rebuilt ones begin where the log begins. */
  rebegin?(): Promise<void>;
  /**
   * Removes archives of its documents that need not be kept, the oldest first and some at a time. Archives that current documents link to stay, and
   * the bytes of everything that stays are unchanged. Returns the number of removed archives. Absent: it has none beside the log.
   */
  endArchives?(kept: KeptArchives): Promise<number>;
  /**
   * The current documents that say more than the log does and include something from changes after that `seq`. Absent: all its documents follow from
   * the log.
   */
  documentsSince?(seq: number): Iterable<ShelfDocument> | AsyncIterable<ShelfDocument>;
  /** Those of these documents that depend on the current name of a source, in addition to its changes. Absent: none does. */
  documentsNaming?(source: string): Iterable<ShelfDocument> | AsyncIterable<ShelfDocument>;
  /** Texts of a change are about to be removed from the log. Resolves when the documents say so. Throws if that is not possible, and then the texts stay. */
  redact?(redaction: TextRedaction): Promise<void>;
  /** Proofs of changes. Absent: it proves nothing. */
  readonly receipts?: ChangeReceipts;
  routes(): readonly Route[];
  /** Writes lists of changes that somebody searched for. Absent: it has no document for that. */
  readonly changeLists?: ChangeLists | undefined;
  /** The position of a source in the runs of its changes. The same object as long as nothing changes. From memory. */
  standingOf?(source: string): SourceStanding | undefined;
  /** Links to the documents of the dialect, for the page of the hub. */
  readonly links?: ShelfLinks | undefined;
  /** The feeds of one source, for the page of the hub. From memory. */
  feedsOf?(source: ShelfSource): readonly SourceFeed[];
  /** What it wrote about a change, exactly as in its documents; undefined if it wrote nothing about it or no longer keeps it. */
  eventOf?(change: Change): WrittenEvent | undefined | Promise<WrittenEvent | undefined>;
  /** The topic at a path, relative to the hub; undefined if there is none, or if the document has another URL or no longer grows. From memory. */
  topicAt?(path: string): ShelfTopic | undefined;
}

/** Receipts of changes: each proves that a signed checkpoint covers a change, and can be checked without the hub. */
export interface ChangeReceipts {
  /** The newest checkpoint, if it covers the change of that `seq` and all before it; otherwise undefined. */
  checkpointOver(seq: number): string | undefined;
  /**
   * The receipt of a change as JSON on one line. The text for a checkpoint stays the same unless a text of the change is redacted. Undefined if the
   * checkpoint does not cover the change or the change is older than the proofs.
   */
  receiptOf(id: string, checkpoint: string): Promise<string | undefined>;
}

/** Texts of a change that are removed. */
export interface TextRedaction {
  readonly id: string;
  readonly seq: number;
  /** The names of its fields. */
  readonly fields: readonly string[];
}

/** A document of a shelf, as path and bytes. */
export interface ShelfDocument {
  /** Relative to the hub, without a leading slash. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its bytes never change. */
  readonly lasts?: boolean;
}

/** Documents that list selected changes on request. They are not stored. */
export interface ChangeLists {
  /** The ending of their URLs: `.atom`. */
  readonly ending: string;
  readonly mediaType: string;
  /** Its name for people. */
  readonly words: string;
  /** The same text for the same list. */
  write(list: ChangeList): string;
}

export interface ChangeList {
  /** What was searched for, in plain words. */
  readonly title: string;
  /** Newest first. */
  readonly changes: readonly Change[];
  /** The URL of the document. */
  readonly selfUrl: string;
  /** The page for people. */
  readonly url: string;
}

/** A change as one dialect writes it. */
export interface WrittenEvent {
  /** The name of the dialect for people. */
  readonly words: string;
  /** The path of the document that contains it, relative to the hub. */
  readonly path: string;
  readonly mediaType: string;
  /** The exact characters. Absent if the document is too long to search for one page. */
  readonly text?: string;
}

/** A document that subscribers can receive as a whole each time it changes. Its responses name the hub and the document itself ({@link topicLinks}). */
export interface ShelfTopic {
  /** Its only URL, relative to the hub. */
  readonly path: string;
  /** The source whose changes it reports; absent: all sources. */
  readonly source?: string;
  /** Whether it reports a change of that source. */
  tells(change: Change): boolean;
}

/** How much of the archives is kept: everything since a moment, or as much as fits. */
export type KeptArchives =
  | { readonly sinceMs: number; readonly bytes?: undefined }
  | { readonly bytes: number; readonly sinceMs?: undefined };

export interface SourceStanding {
  readonly cursor: string | null;
  readonly prevCursor: string | null;
  /** Whether the newest check found something new. */
  readonly changed: boolean;
}

/** Paths are relative to the hub. A path with `{…}` is a pattern: it is shown as text, and linked only if `href` gives a target. */
export interface ShelfLinks {
  /** The feed of all changes, for programs that read the head of the page. */
  readonly alternate?: { readonly mediaType: string; readonly path: string };
  /** One line each. */
  readonly feeds: readonly (readonly { readonly words?: string; readonly path: string; readonly href?: string }[])[];
  /** The document that says where the feeds are. */
  readonly discovery?: { readonly words: string; readonly path: string };
}

export interface SourceFeed {
  /** Plain words, or a name that a source gave itself, which is shown as such. */
  readonly words: string;
  readonly name?: string;
  readonly path: string;
  readonly mediaType?: string;
}

/** A source as shelves see it. */
export interface ShelfSource {
  readonly id: string;
  readonly title?: string;
  /** Its page for people. */
  readonly url: string;
  readonly tags?: readonly string[];
  readonly status: 'ok' | 'degraded' | 'error' | 'disabled';
  /** Why it is not checked. */
  readonly paused?: string;
  readonly addedAtMs: number;
  /** The check interval that its operator configured. */
  readonly intervalSeconds?: number;
  readonly health: ShelfSourceHealth;
}

/** What the checks of a source recorded. Times are epoch milliseconds. */
export interface ShelfSourceHealth {
  readonly lastCheckMs?: number;
  /** The last check that read the source, directly or through a fallback. */
  readonly lastOkMs?: number;
  readonly lastChangeMs?: number;
  /** Whether the last check found changes. */
  readonly changed: boolean;
  /** In a row; 0 when the last check was good. */
  readonly failures: number;
  /** The time of the first of those failures, or of the pause. */
  readonly staleSinceMs?: number;
  readonly error?: { readonly code: string; readonly httpStatus?: number };
  /** Which fallback the last check used, from 0. */
  readonly fallback?: number;
}

/** What a shelf gets from its hub. */
export interface ShelfWorld {
  /** The log after that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  /** Undefined if the log was never truncated. From memory. */
  readonly logStart: () => LogStart | undefined;
  /** Identifies the log: it changes each time a backup is restored. Absent if none was. Hexadecimal digits. */
  readonly epoch?: string;
  /** The watched sources, in order of id. */
  readonly sources: () => readonly ShelfSource[];
  /** Undefined for a source that is not watched. The same object as long as nothing about it changes. */
  readonly sourceOf: (id: string) => ShelfSource | undefined;
  /** The public URL of the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
  /** The path of that URL, known from the start. */
  readonly root: string;
  /** Where readers subscribe to documents (WebSub); undefined if they cannot. */
  readonly hubUrl?: (() => string) | undefined;
  readonly settings: ShelfSettings;
  readonly storage: ShelfStorage;
  /** For several processes that show the same documents: everything that is not a function of the log alone goes through it. Absent: there is one process. */
  readonly steps?: StepRelays | undefined;
  /** What the shelves that are opened before this one say in addition to the log, after that `seq`. */
  readonly documentsSince?: (seq: number) => AsyncIterable<ShelfDocument>;
  /** Those of these documents that depend on the name of a source. */
  readonly documentsNaming?: (source: string) => AsyncIterable<ShelfDocument>;
  /** The `seq` up to which those documents include the log. */
  readonly documentsSeq?: () => number;
  /** Aborted if the hub stops before it has started: documents stay as they are, and the next start continues. */
  readonly stopping?: AbortSignal;
  /** Called with messages that the operator should see. */
  readonly onProblem?: ((message: string) => void) | undefined;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly gzip: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/**
 * What an export gets: the data of a hub in its current state, whether it runs or not. What only a running hub can answer (where to subscribe,
 * whether it is alive) is not mentioned in the export.
 */
export type ExportWorld = Pick<
  ShelfWorld,
  | 'readChanges'
  | 'logStart'
  | 'sources'
  | 'sourceOf'
  | 'baseUrl'
  | 'hubUrl'
  | 'root'
  | 'settings'
  | 'storage'
  | 'now'
  | 'gzip'
>;

/** The operator's settings for the feeds of a hub. */
export interface ShelfSettings {
  /** How long readers need not ask again; absent: they ask each time. */
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** What events contain in addition to the change. */
  readonly extensions: Extensions;
}

/** Documents that do not depend on the log. */
export const NOT_FROM_THE_LOG: FollowingDocuments = {
  seq: Number.POSITIVE_INFINITY,
  trouble: undefined,
  add: async () => {},
  mend: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

/** A shelf made of documents and the remaining parts. */
export function shelfOf(documents: FollowingDocuments, rest: Omit<Shelf, keyof FollowingDocuments>): Shelf {
  return {
    ...rest,
    get seq() {
      return documents.seq;
    },
    get trouble() {
      return documents.trouble;
    },
    get links() {
      return rest.links;
    },
    add: (changes) => documents.add(changes),
    mend: () => documents.mend(),
    [Symbol.asyncDispose]: () => documents[Symbol.asyncDispose](),
  };
}
