import type { Route } from '../hub/http/route.ts';
import type { LogStart } from '../log/log-start.ts';
import type { Change } from '../model/change.ts';
import type { Extensions } from '../model/extensions.ts';
import type { ShelfExport } from './shelf-export.ts';
import type { ShelfStorage } from './shelf-storage.ts';
import type { StepRelays } from './step-relay.ts';

/** How the documents of a dialect are kept ready in a hub. */
export interface ShelfKind {
  /** Resolves when the documents stand where the log does. `world` knows all sources by then. */
  open(world: ShelfWorld): Promise<Shelf>;
  /** What was published of the log and stands outside of its database. Absent where everything is in there. */
  published?(storage: ShelfStorage): PublishedDocuments | undefined;
  /** Its documents as files for a static host, from data that another process may write to. Undefined where no hub has made any yet. */
  exported(world: ExportWorld): ShelfExport | undefined;
  /** Documents in the data of a hub that are not what its log gives, or not what they say of themselves. Absent: none of them can be held against anything. */
  faults?(world: ExportWorld): AsyncIterable<DocumentFault>;
}

/** A document that is not as it must be. */
export interface DocumentFault {
  /** Relative to the hub, without a leading slash. */
  readonly path: string;
  /** What is wrong, in one sentence. */
  readonly what: string;
}

/** A change as documents tell it: what they do not say is left out, and `provenance.recovered` is set. */
export type PublishedChange = Omit<Change, 'seq'>;

/** Documents on the disk as witnesses of a log that is lost or was put back. Nothing is written. */
export interface PublishedDocuments {
  /** The id of the newest change that they tell of; undefined where there is none. */
  newestId(): Promise<string | undefined>;
  /** What they tell behind that id, such that the same documents can be derived from it again, byte for byte. */
  tailAfter(id: string): Promise<PublishedTail>;
}

export interface PublishedTail {
  /** The newest change that they tell of up to that id. */
  readonly knownId: string | undefined;
  /** In order of their ids. */
  readonly changes: readonly PublishedChange[];
}

/** Documents that follow the log of a hub. {@link LogFollower} does it for most. */
export interface FollowingDocuments extends AsyncDisposable {
  /** The newest `seq` that all of them have; Infinity where nothing of them comes from the log. */
  readonly seq: number;
  /** Why they lag behind the log; undefined when they do not. */
  readonly trouble: string | undefined;
  /**
   * Takes the changes of a commit, in order of `seq`, and resolves when they can be found. What cannot be stored is taken with
   * the next `add` or `mend`. Once the shelf is closed it takes nothing more: the next opening finds it in the log.
   */
  add(changes: readonly Change[]): Promise<void>;
  /** Takes over all that the log has more, and all that could not be stored. */
  mend(): Promise<void>;
}

/** The documents of a dialect that a hub keeps ready beside its log. What was served once stays true, also over crashes. */
export interface Shelf extends FollowingDocuments {
  /** Says that sources may stand otherwise than before: checked, paused, resumed, added, removed. */
  restate?(ids: Iterable<string>): Promise<void>;
  /**
   * Resolves when all that it has taken from the log is durable, so that the log need not be read again from further back. Absent:
   * what it takes is durable at once, or is made anew at each start.
   */
  secure?(): Promise<void>;
  /** The log was cut and begins elsewhere. What was served stays as it is; what is made anew begins where the log does. */
  rebegin?(): Promise<void>;
  /**
   * Ends archives of its documents that need not be kept, the oldest first and some at a time. Those that documents of today lead to
   * stay, and no bytes of what stays change. Says how many have ended. Absent: it has none beside the log.
   */
  endArchives?(kept: KeptArchives): Promise<number>;
  /**
   * Documents that say more than the log does, as they stand, of which something comes from changes behind that `seq`. Absent: all that it says
   * follows from the log.
   */
  documentsSince?(seq: number): Iterable<ShelfDocument> | AsyncIterable<ShelfDocument>;
  /** Those of them that follow how a source is called now, beside its changes. Absent: none does. */
  documentsNaming?(source: string): Iterable<ShelfDocument> | AsyncIterable<ShelfDocument>;
  /** Texts of a change are about to be taken out of the log. Resolves when that is said; throws where it cannot be, and then they stay. */
  redact?(redaction: TextRedaction): Promise<void>;
  /** Proofs of changes. Absent: it proves nothing. */
  readonly receipts?: ChangeReceipts;
  routes(): readonly Route[];
  /** How it tells changes that somebody looked for. Absent: it has no document for that. */
  readonly changeLists?: ChangeLists | undefined;
  /** Where a source stands in the runs of its changes. The same object while that stays so. From memory. */
  standingOf?(source: string): SourceStanding | undefined;
  /** What people find of the dialect, for the page of the hub. */
  readonly links?: ShelfLinks | undefined;
  /** The feeds of one source, for the page of the hub. From memory. */
  feedsOf?(source: ShelfSource): readonly SourceFeed[];
  /** What it wrote of a change, as it stands in its documents; undefined where it wrote nothing of it, or keeps that no more. */
  eventOf?(change: Change): WrittenEvent | undefined | Promise<WrittenEvent | undefined>;
  /** The topic at a path, relative to the hub; undefined where there is none, or where the document has another address or grows no more. From memory. */
  topicAt?(path: string): ShelfTopic | undefined;
}

/** Receipts of changes: each leads from a change to a signed checkpoint, and can be checked without the hub. */
export interface ChangeReceipts {
  /** The newest checkpoint, once it covers the change of that `seq` and all before it; undefined until then. */
  checkpointOver(seq: number): string | undefined;
  /**
   * The receipt of a change as JSON on one line. The same text for the same checkpoint, as long as no text of the change is redacted. Undefined where
   * the checkpoint does not cover the change, and where the change is older than the proofs.
   */
  receiptOf(id: string, checkpoint: string): Promise<string | undefined>;
}

/** Texts of a change that are taken out. */
export interface TextRedaction {
  readonly id: string;
  readonly seq: number;
  /** The names of its fields. */
  readonly fields: readonly string[];
}

/** A document of a shelf, by what it is made of. */
export interface ShelfDocument {
  /** Relative to the hub, without a leading slash. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its bytes never change. */
  readonly lasts?: boolean;
}

/** Documents that tell some changes, for who asks for them: nothing of them is kept. */
export interface ChangeLists {
  /** How their addresses end: `.atom`. */
  readonly ending: string;
  readonly mediaType: string;
  /** What people call it. */
  readonly words: string;
  /** The same text for the same list. */
  write(list: ChangeList): string;
}

export interface ChangeList {
  /** What was looked for, in plain words. */
  readonly title: string;
  /** Newest first. */
  readonly changes: readonly Change[];
  /** Where the document is. */
  readonly selfUrl: string;
  /** The page for people. */
  readonly url: string;
}

/** A change in one dialect. */
export interface WrittenEvent {
  /** What people call it. */
  readonly words: string;
  /** Of the document that it stands in, relative to the hub. */
  readonly path: string;
  readonly mediaType: string;
  /** The very characters. Absent where that document is too long to be looked through for one page. */
  readonly text?: string;
}

/** A document that others may have sent to them, as a whole, each time that it changes. Its answers name the hub and the document itself ({@link topicLinks}). */
export interface ShelfTopic {
  /** Its one address, relative to the hub. */
  readonly path: string;
  /** The source whose changes it tells; absent: of all. */
  readonly source?: string;
  /** Whether a change of that source is told in it. */
  tells(change: Change): boolean;
}

/** How much of the archives is kept: what is not older than a moment, or what fits. */
export type KeptArchives =
  | { readonly sinceMs: number; readonly bytes?: undefined }
  | { readonly bytes: number; readonly sinceMs?: undefined };

export interface SourceStanding {
  readonly cursor: string | null;
  readonly prevCursor: string | null;
  /** Whether the newest check found something new. */
  readonly changed: boolean;
}

/** Addresses are relative to the hub. One with `{…}` in it is a pattern: it is shown, and linked only where `href` says to what. */
export interface ShelfLinks {
  /** The feed of all changes, for programs that look into the head of the page. */
  readonly alternate?: { readonly mediaType: string; readonly path: string };
  /** One line each. */
  readonly feeds: readonly (readonly { readonly words?: string; readonly path: string; readonly href?: string }[])[];
  /** Where it is said where the feeds are. */
  readonly discovery?: { readonly words: string; readonly path: string };
}

export interface SourceFeed {
  /** Plain words, or a name that a source gave: shown as such. */
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
  /** The rhythm that its operator gave it. */
  readonly intervalSeconds?: number;
  readonly health: ShelfSourceHealth;
}

/** What the checks of a source have left behind. Moments are epoch milliseconds. */
export interface ShelfSourceHealth {
  readonly lastCheckMs?: number;
  /** The last check that read the source, itself or by a fallback. */
  readonly lastOkMs?: number;
  readonly lastChangeMs?: number;
  /** Whether the last check found changes. */
  readonly changed: boolean;
  /** In a row; 0 when the last check was good. */
  readonly failures: number;
  /** The first of those failures, or the moment of the pause. */
  readonly staleSinceMs?: number;
  readonly error?: { readonly code: string; readonly httpStatus?: number };
  /** Which fallback the last check used, from 0. */
  readonly fallback?: number;
}

/** The hub around a shelf. */
export interface ShelfWorld {
  /** The log behind that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  /** Undefined while the log was never cut. From memory. */
  readonly logStart: () => LogStart | undefined;
  /** Which log it is: another one behind each backup that was restored. Absent while none was. Hexadecimal digits. */
  readonly epoch?: string;
  /** In order of id; those that are watched. */
  readonly sources: () => readonly ShelfSource[];
  /** Undefined for a source that is not watched. The same object while nothing of it is new. */
  readonly sourceOf: (id: string) => ShelfSource | undefined;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
  /** The path of that address, known from the start. */
  readonly root: string;
  /** Where readers subscribe to documents (WebSub); undefined where they cannot. */
  readonly hubUrl?: (() => string) | undefined;
  readonly settings: ShelfSettings;
  readonly storage: ShelfStorage;
  /**
   * Where several processes show the same documents: what is no function of the log alone goes through it. Absent: there is one process.
   */
  readonly steps?: StepRelays | undefined;
  /** What the shelves that are opened before this one say beyond the log, behind that `seq`. */
  readonly documentsSince?: (seq: number) => AsyncIterable<ShelfDocument>;
  /** Those of them that follow how a source is called. */
  readonly documentsNaming?: (source: string) => AsyncIterable<ShelfDocument>;
  /** How far the log has become those documents. */
  readonly documentsSeq?: () => number;
  /** Aborted when the hub ends before it has begun: documents are left where they stand, and the next start goes on. */
  readonly stopping?: AbortSignal;
  /** Hears of what the operator should know, in words. */
  readonly onProblem?: ((message: string) => void) | undefined;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly gzip: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/**
 * The hub around an export: its data as they stand, whether it runs or not. What only a hub that runs can answer (where to
 * subscribe, whether it lives) is not named in what is exported.
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

/** What the operator of a hub says of its feeds. */
export interface ShelfSettings {
  /** How long readers need not ask again; absent: they ask each time. */
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** What events say beside what changed. */
  readonly extensions: Extensions;
}

/** Documents that are there without the log. */
export const NOT_FROM_THE_LOG: FollowingDocuments = {
  seq: Number.POSITIVE_INFINITY,
  trouble: undefined,
  add: async () => {},
  mend: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

/** A shelf around documents. */
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
