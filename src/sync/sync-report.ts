import type { SafetyStopError } from '../errors/safety-stop-error.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import type { SourceLook } from '../stream/change-stream.ts';

/** A page whose copy in the index differs from its site, and why. */
export interface LeftPage {
  readonly url: string;
  readonly reason: string;
}

/** The result of one settle: what was done to the index, and what keeps it from being equal. */
export interface SyncReport {
  /** Sections that were written because they are new or changed. */
  readonly upserts: number;
  /** Sections that were removed. */
  readonly deletes: number;
  /** Sections of the index that are unchanged. */
  readonly unchanged: number;
  /** Of the embedded chunks, as the server counts them; without embeddings, of the new ones. */
  readonly tokens: number;
  /** Chunks that were sent to be embedded. */
  readonly embeddings: number;
  readonly pages: { readonly put: number; readonly removed: number; readonly unchanged: number };
  /** Pages that could not be read or written. They stay as they were, and are tried again. */
  readonly unread: readonly LeftPage[];
  /** Pages that are omitted because their terms refuse the use. */
  readonly refused: readonly LeftPage[];
  /** Sources that could not be checked, or are stopped. */
  readonly looks: readonly SourceLook[];
  /** Sources whose origin ended its feed: the index contains nothing of them. */
  readonly ended: readonly EndedSource[];
  /** What a person has to confirm first. */
  readonly stops: readonly SafetyStopError[];
  /** The sink or the embedding server is down: the rest waits. */
  readonly error?: TidingsError;
}

export interface EndedSource {
  readonly source: string;
  readonly reason: string;
}

/** Whether the index equals the sites, as far as they could be read. */
export function isEqual({ unread, looks, stops, error }: SyncReport): boolean {
  return unread.length + stops.length === 0 && looks.every(({ is }) => is === 'ok') && error === undefined;
}
