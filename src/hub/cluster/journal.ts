import type { Change, ChangeDraft } from '../../model/change.ts';

/** A process that was given a task under a token. The next process gets a higher token, and writes under the old one are refused. */
export interface Fence {
  /** `source:<id>` or `role:<name>`. */
  readonly task: string;
  readonly token: number;
}

/** What a write does to the plan of visits, in the same step. */
export interface PlannedSource {
  readonly id: string;
  /** The host whose turns it takes. */
  readonly host: string;
  /** When it is due; undefined while nobody is to visit it. */
  readonly dueAtMs: number | undefined;
  /** Refuses the write if the source was written after that `rev`, or no longer exists; with 0, if it exists. */
  readonly expectedRev?: number;
  /** A running visit may not write what it found. */
  readonly overrules?: true;
  /** The visit is over: the next process may claim the source. */
  readonly releases?: true;
}

/** One write of a hub. Every process makes it in its own store, all in the same order. */
export interface JournalWrite {
  /** The name of the store that applies it. */
  readonly kind: string;
  /** Read only by that store. */
  readonly body: Uint8Array;
  /** The changes that it appends to the log. */
  readonly drafts?: readonly ChangeDraft[];
  /** They belong to the run that was appended last in the same call. */
  readonly isMore?: true;
  /** Without a fence, any process may write. */
  readonly fence?: Fence;
  readonly plan?: readonly PlannedSource[];
  /** Sources that were removed. */
  readonly forget?: readonly string[];
}

/** A write with its place in the journal. */
export interface PlacedWrite {
  /** From 1, without gaps. */
  readonly rev: number;
  readonly kind: string;
  readonly body: Uint8Array;
  /** With their `seq`s and ids. */
  readonly changes: readonly Change[];
  /** By the clock of the journal. */
  readonly atMs: number;
}

/** Why a write was refused: another process has the task now, or has written the source. */
export interface RefusedWrite {
  readonly refused: 'fenced' | 'overtaken';
}

export type WriteAnswer = PlacedWrite | RefusedWrite;

/** The end of the journal, to check whether a process has the same history. */
export interface JournalEnd {
  /** Different after each restored backup. */
  readonly epoch: string;
  readonly rev: number;
  readonly seq: number;
}

/**
 * The single order of all writes of a hub that runs in several processes.
 *
 * `append` is one transaction, durable when it resolves: its accepted writes get the next places, in order. If it throws (LogUnavailableError, LogFullError),
 * it is unknown whether they were made; reading on shows it. No reader by `rev` or `seq` ever passes a place that is filled later.
 */
export interface Journal extends AsyncDisposable {
  append(writes: readonly JournalWrite[]): Promise<readonly WriteAnswer[]>;
  /** The writes after that `rev`, in order; at most `limit`, and not much more than 8 MB. */
  read(afterRev: number, limit: number): Promise<readonly PlacedWrite[]>;
  end(): Promise<JournalEnd>;
  /** Replaces a change by its redacted form, for all later readers. A change that the journal no longer has is ignored. */
  rewrite(change: Change): Promise<void>;
  /** Called when there may be news. Calls can be missed, so followers also ask from time to time. */
  onNews(listener: () => void): Disposable;
}
