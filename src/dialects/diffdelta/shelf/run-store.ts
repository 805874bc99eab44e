import type { DiffDeltaFeed, DiffDeltaItem } from '../../../codecs/diffdelta/wire.ts';
import type { KeptArchives } from '../../shelf.ts';
import { StorageKey } from '../../shelf-storage.ts';
import type { ItemRecord } from '../runs/run-items.ts';
import type { RunFeedRecord } from './feed-record.ts';

/** One step from `after` to `seq` of the log, or a restatement if both are the same. Bodies are packed. */
export interface RunWrite {
  readonly after: number;
  readonly seq: number;
  readonly feeds: readonly { readonly record: RunFeedRecord; readonly latest: Uint8Array }[];
  readonly items: readonly PackedItem[];
  readonly archives: readonly PackedArchive[];
}

/** What is remembered of an item, in the form that a store keeps. */
export interface PackedItem extends Pick<DiffDeltaItem, 'source' | 'id'> {
  readonly body: Uint8Array;
}

/** A feed that is kept. */
export interface RunArchive {
  /** Without a leading slash. */
  readonly path: string;
  readonly text: string;
  /** The path of an archive with much of the same content. It must come before this one. */
  readonly over?: string;
}

/** An archive in the form that a store keeps. */
export interface PackedArchive extends Pick<RunArchive, 'path'> {
  readonly body: Uint8Array;
}

/** Larger bodies are packed with gzip, whatever a store does with smaller ones. */
export const GZIP_ABOVE_BYTES = 14_000;

/**
 * Where a hub keeps its DiffDelta files: beside its log, so that neither is ever restored without the other.
 *
 * `write` is one transaction, durable when it returns. If it throws a {@link TidingsError}, nothing of it was kept. It refuses a
 * step that does not begin where the last one ended. An archive is written once: nothing replaces it, and only {@link
 * RunStore.endArchives} deletes it. Reads and writes are synchronous, so that nothing comes between a write and what is served.
 */
export interface RunStore {
  /** How far the log has been turned into files. */
  seq(): number;
  feeds(): readonly RunFeedRecord[];
  /** The packed bytes. */
  latest(name: string): Uint8Array | undefined;
  feed(name: string): Promise<DiffDeltaFeed | undefined>;
  /** The archived bytes. */
  archive(path: string): Promise<Uint8Array | undefined>;
  /** The paths of all archives, oldest first; with `sinceMs`, only those made in or after that second. */
  archivePaths(sinceMs?: number): Iterable<string>;
  /** The paths of the archives of a feed made at that time, or within the second after it. */
  archivesAt(name: string, ms: number): readonly string[];
  /** Whether an archive with that path would be older than those that are kept. */
  hasEnded(path: string): boolean;
  /** Where the archives may begin from now on, in the form of the store; undefined while there is hardly more than is kept. */
  endOfArchives(kept: KeptArchives): Promise<Uint8Array | undefined>;
  /** Deletes older archives, some at a time, except the paths in `named`. Returns how many. */
  endArchives(point: Uint8Array, named: ReadonlySet<string>): Promise<number>;
  item(source: string, id: string): ItemRecord | undefined;
  write(step: RunWrite): void;
  pack(text: string): Uint8Array | Promise<Uint8Array>;
  packItem(record: ItemRecord): PackedItem;
  packArchives(archives: readonly RunArchive[]): Promise<readonly PackedArchive[]>;
  unpack(body: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

export const RUN_STORE = new StorageKey<RunStore>();
