import type { TileSource } from '../../../tlog/tile-source.ts';
import { StorageKey } from '../../shelf-storage.ts';

/** The size and root of a tree. */
export interface TlogHead {
  readonly size: number;
  /** The 32 raw bytes. */
  readonly root: Uint8Array;
}

/** The identity of a log. It is made with the first entry and never changes. */
export interface TlogIdentity {
  /** The first line of its checkpoints. */
  readonly origin: string;
  /** The line that followers pin. */
  readonly vkey: string;
  /** The 32 bytes that its Ed25519 key is made from. They sign only checkpoints. */
  readonly seed: Uint8Array;
  /** Which log of changes it belongs to: restoring a backup begins another one. Absent while none was restored. */
  readonly epoch?: string;
}

/** A log and its state. */
export interface TlogRecord extends TlogIdentity, TlogHead {
  /** Which of the logs of this hub, from 1: restoring a backup begins a new one. */
  readonly log: number;
  /** How far the changes of the hub have become entries. */
  readonly seq: number;
  /** How far the documents of other shelves have become entries. */
  readonly documentsSeq: number;
  /** The signed note that is shown, with its cosignatures; absent before the first one. */
  readonly checkpoint?: string;
}

/** How many entries the stored checkpoint covers: 0 if there is none, or if it was altered and names no size that this log has. */
export function signedSizeOf({ checkpoint = '', size }: Pick<TlogRecord, 'checkpoint' | 'size'>): number {
  const [, line = ''] = checkpoint.split('\n');
  const signed = /^\d{1,15}$/.test(line) ? Number(line) : 0;
  return signed <= size ? signed : 0;
}

/** A tile of 256 hashes. */
export interface FullTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Uint8Array;
}

/** What is kept of a change besides its entry. */
export interface LoggedPlace {
  readonly log: number;
  /** The index of its entry. */
  readonly entry: number;
  /** The salts of its texts, in the form of {@link packSalts}; empty once they were redacted. */
  readonly salts: Uint8Array;
}

/** The sources and times of an entry of type `checked`, compressed. */
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
 * One step of a log, from the head `before` to `head`: entries and all that follows from them, or, with the same head, its
 * checkpoint.
 *
 * Entries that fill a bundle are in `bundles` (compressed). Those after the last full bundle are in `entries`, with the index of
 * the first.
 */
export interface TlogWrite {
  readonly log: number;
  readonly after: number;
  readonly seq: number;
  readonly before: TlogHead;
  readonly head: TlogHead;
  /** Only in the first step of a log. */
  readonly begins?: TlogIdentity;
  readonly firstEntry: number;
  readonly entries: readonly Uint8Array[];
  readonly bundles: readonly { readonly index: number; readonly body: Uint8Array }[];
  readonly tiles: readonly FullTile[];
  /** The hashes of the partial tiles that this step changes, by level, from level 1: complete, as they are after it. */
  readonly openTiles: readonly Omit<FullTile, 'index'>[];
  readonly changes: readonly { readonly seq: number; readonly entry: number; readonly salts: Uint8Array }[];
  readonly documents: readonly DocumentHash[];
  readonly documentsSeq: number;
  readonly checks: readonly CheckedList[];
  /** The remaining salts of changes whose texts were redacted. */
  readonly redactions?: readonly { readonly seq: number; readonly salts: Uint8Array }[];
  readonly checkpoint?: string;
}

/**
 * Where a hub keeps its provable log: beside the changes that it covers, so that neither is ever restored without the other.
 *
 * `write` is one transaction, durable when it returns. If it throws a {@link TidingsError}, nothing of it was kept. It refuses a
 * step whose head or `seq` does not follow the stored one, whoever made it: two writers cannot make two histories. Tiles and
 * bundles are written once: nothing replaces or deletes them. Reads are synchronous.
 */
export interface TlogStore {
  /** All logs of this hub, the current one last. */
  logs(): readonly TlogRecord[];
  /** 8,192 bytes; undefined while the tile is not full. */
  tile(log: number, level: number, index: number): Uint8Array | undefined;
  /** The hashes of the partial tile of that level, 1 or higher. */
  openTile(log: number, level: number): Uint8Array;
  /** Compressed (gzip); undefined while the bundle is not full. */
  bundle(log: number, index: number): Uint8Array | undefined;
  /** The entries after the last full bundle, in order. */
  openEntries(log: number): readonly Uint8Array[];
  /** The entry of a change; undefined if the change is older than the logs. */
  place(seq: number): LoggedPlace | undefined;
  /** The places of the changes from `first` to `last`, in order. */
  places(first: number, last: number): readonly (LoggedPlace & { readonly seq: number })[];
  /** The newest hash of a document whose bytes may change. */
  documentHash(path: string): Uint8Array | undefined;
  /** Compressed; undefined if it does not exist, or no longer: lists are deleted with their checks, but their entries stay. */
  checkedList(log: number, entry: number): Uint8Array | undefined;
  write(step: TlogWrite): void;
}

/** What the shelf gets from the data folder of a hub. */
export interface TlogPlace {
  readonly store: TlogStore;
  /** Unpredictable bytes for keys and salts. */
  readonly random: (size: number) => Uint8Array;
  readonly gunzip: (bytes: Uint8Array) => Promise<Uint8Array>;
  /** Absent if the hub names no witnesses. */
  readonly cosignNote?: CosignNote | undefined;
}

/**
 * Has one of our checkpoints cosigned by witnesses, and returns the note with what they gave. Never throws because of a witness.
 */
export type CosignNote = (note: string, tiles: TileSource, signal: AbortSignal) => Promise<string>;

export const TLOG_PLACE = new StorageKey<TlogPlace>();
