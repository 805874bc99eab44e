import type { TileSource } from '../../../tlog/tile-source.ts';
import { StorageKey } from '../../shelf-storage.ts';

/** How far a tree has grown. */
export interface TlogHead {
  readonly size: number;
  /** The 32 raw bytes. */
  readonly root: Uint8Array;
}

/** Who a log is. It is made with its first entry and never changes. */
export interface TlogIdentity {
  /** The first line of its checkpoints. */
  readonly origin: string;
  /** The line that followers pin. */
  readonly vkey: string;
  /** The 32 bytes that its Ed25519 key is made of. They sign checkpoints and nothing else. */
  readonly seed: Uint8Array;
  /** Which log of changes it is of: another one behind each backup that was restored. Absent while none was. */
  readonly epoch?: string;
}

/** A log as it stands. */
export interface TlogRecord extends TlogIdentity, TlogHead {
  /** Which of the logs of this hub, from 1: a new one begins behind each backup that was restored. */
  readonly log: number;
  /** How far the changes of the hub have become entries. */
  readonly seq: number;
  /** How far the documents of others have become entries. */
  readonly documentsSeq: number;
  /** The signed note that is shown, with its cosignatures; absent before the first one. */
  readonly checkpoint?: string;
}

/** A tile of 256 hashes. */
export interface FullTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Uint8Array;
}

/** What is kept of a change beside its entry. */
export interface LoggedPlace {
  readonly log: number;
  /** The index of its entry. */
  readonly entry: number;
  /** Of its texts, in the form of {@link packSalts}; empty once they were taken out. */
  readonly salts: Uint8Array;
}

/** The names and times behind an entry of type `checked`, compressed. */
export interface CheckedList {
  readonly entry: number;
  readonly atMs: number;
  readonly body: Uint8Array;
}

/** The newest hash of a document whose bytes may change. */
export interface DocumentHash {
  readonly path: string;
  readonly hash: Uint8Array;
}

/**
 * One step of a log, from the head `before` to `head`: entries and all that follows from them, or, with the same head, the checkpoint of it.
 *
 * Entries that fill a bundle stand in `bundles` (compressed), those behind the last full one in `entries`, with the index of the first.
 */
export interface TlogWrite {
  readonly log: number;
  readonly after: number;
  readonly seq: number;
  readonly before: TlogHead;
  readonly head: TlogHead;
  /** With the first step of a log. */
  readonly begins?: TlogIdentity;
  readonly firstEntry: number;
  readonly entries: readonly Uint8Array[];
  readonly bundles: readonly { readonly index: number; readonly body: Uint8Array }[];
  readonly tiles: readonly FullTile[];
  /** The hashes of the tiles that are not full, by level, from level 1: whole as they are behind this step, where it moves them. */
  readonly openTiles: readonly Omit<FullTile, 'index'>[];
  readonly changes: readonly { readonly seq: number; readonly entry: number; readonly salts: Uint8Array }[];
  readonly documents: readonly DocumentHash[];
  readonly documentsSeq: number;
  readonly checks: readonly CheckedList[];
  /** What is left of the salts of changes whose texts were taken out. */
  readonly redactions?: readonly { readonly seq: number; readonly salts: Uint8Array }[];
  readonly checkpoint?: string;
}

/**
 * Where a hub keeps its provable log: beside the changes that it is about, so that neither is ever restored without the other.
 *
 * `write` is one transaction, durable when it returns; what it throws ({@link TidingsError}) means that nothing of it was kept. It refuses a step that
 * follows on another head, or on another `seq`, than the one that is stored, whoever made it: two writers cannot make two histories. Tiles and bundles are
 * written once: nothing replaces or deletes them. Reads are done when they return.
 */
export interface TlogStore {
  /** All logs of this hub, the one that goes on last. */
  logs(): readonly TlogRecord[];
  /** 8,192 bytes; undefined while the tile is not full. */
  tile(log: number, level: number, index: number): Uint8Array | undefined;
  /** The hashes of the tile of that level, 1 or higher, that is not full yet. */
  openTile(log: number, level: number): Uint8Array;
  /** Compressed (gzip); undefined while the bundle is not full. */
  bundle(log: number, index: number): Uint8Array | undefined;
  /** Those behind the last full bundle, in order. */
  openEntries(log: number): readonly Uint8Array[];
  /** Where a change stands; undefined where it is older than the logs are. */
  place(seq: number): LoggedPlace | undefined;
  /** Those of the changes from `first` to `last`, in order. */
  places(first: number, last: number): readonly (LoggedPlace & { readonly seq: number })[];
  /** The newest hash of a document whose bytes may change. */
  documentHash(path: string): Uint8Array | undefined;
  /** Compressed; undefined where there is none, or none any more: lists go with the checks that they are of, their entries stay. */
  checkedList(log: number, entry: number): Uint8Array | undefined;
  write(step: TlogWrite): void;
}

/** What the shelf finds in the data folder of a hub. */
export interface TlogPlace {
  readonly store: TlogStore;
  /** Bytes that nobody can guess: keys and salts. */
  readonly random: (size: number) => Uint8Array;
  readonly gunzip: (bytes: Uint8Array) => Promise<Uint8Array>;
  /** Absent where the hub names no witnesses. */
  readonly cosignNote?: CosignNote | undefined;
}

/** Has a checkpoint of ours cosigned by witnesses; the note with what was had. Never throws for what a witness does. */
export type CosignNote = (note: string, tiles: TileSource, signal: AbortSignal) => Promise<string>;

export const TLOG_PLACE = new StorageKey<TlogPlace>();
