import type { SafetyStopError } from '../errors/safety-stop-error.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import type { SourceLook } from '../stream/change-stream.ts';

/** A page that is not in the index as its site has it, and why. */
export interface LeftPage {
  readonly url: string;
  readonly reason: string;
}

/** What one settle came to: what was done to the index, and what keeps it from being equal. */
export interface SyncReport {
  /** Sections that were written, for they were new or others than before. */
  readonly upserts: number;
  /** Sections that were removed. */
  readonly deletes: number;
  /** Sections of the index that stayed as they were. */
  readonly unchanged: number;
  /** Of the chunks that were embedded, as the server counts them; without embeddings, of those that are new. */
  readonly tokens: number;
  /** Chunks that were sent to be embedded. */
  readonly embeddings: number;
  readonly pages: { readonly put: number; readonly removed: number; readonly unchanged: number };
  /** Pages that could not be read or written. They are as they were, and are tried again. */
  readonly unread: readonly LeftPage[];
  /** Pages that are left out, because their terms say no. */
  readonly refused: readonly LeftPage[];
  /** Sources that could not be looked at, or are stopped. */
  readonly looks: readonly SourceLook[];
  /** Sources whose origin ended its feed: nothing of them is in the index. */
  readonly ended: readonly EndedSource[];
  /** What a person has to say yes to first. */
  readonly stops: readonly SafetyStopError[];
  /** The sink or the embedding server is down: the rest waits. */
  readonly error?: TidingsError;
}

export interface EndedSource {
  readonly source: string;
  readonly reason: string;
}

/** Whether the index is as the sites are, as far as they could be read. */
export function isEqual({ unread, looks, stops, error }: SyncReport): boolean {
  return unread.length + stops.length === 0 && looks.every(({ is }) => is === 'ok') && error === undefined;
}
