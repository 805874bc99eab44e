import type { Change, ChangeDraft } from '../../model/change.ts';

/** Who writes: a process that was given a task under a number. Who is given the task next has a higher one, and the old one counts no more. */
export interface Fence {
  /** `source:<id>` or `role:<name>`. */
  readonly task: string;
  readonly token: number;
}

/** What a write does to the plan of visits, in the same step. */
export interface PlannedSource {
  readonly id: string;
  /** Whose turns it takes. */
  readonly host: string;
  /** When it is due; undefined while nobody shall visit it. */
  readonly dueAtMs: number | undefined;
  /** Refuses the write where the source was written behind that `rev`, or is there no more; with 0, where there is one. */
  readonly expectedRev?: number;
  /** Whoever visits it now may not write what was found. */
  readonly overrules?: true;
  /** The visit is over: whoever is next may claim it. */
  readonly releases?: true;
}

/** One write of a hub, which every process makes in its own store, all in the same order. */
export interface JournalWrite {
  /** Who applies it: the name of a store. */
  readonly kind: string;
  /** Read by that store alone. */
  readonly body: Uint8Array;
  /** What it appends to the log. */
  readonly drafts?: readonly ChangeDraft[];
  /** They belong to the run that was appended last in the same call. */
  readonly isMore?: true;
  /** Without it anybody may write. */
  readonly fence?: Fence;
  readonly plan?: readonly PlannedSource[];
  /** Sources that are there no more. */
  readonly forget?: readonly string[];
}

/** A write in its place. */
export interface PlacedWrite {
  /** From 1, without holes. */
  readonly rev: number;
  readonly kind: string;
  readonly body: Uint8Array;
  /** With their places in the log. */
  readonly changes: readonly Change[];
  /** By the clock of the journal. */
  readonly atMs: number;
}

/** Why a write was not made: the task is somebody else's by now, or the source was written by somebody else. */
export interface RefusedWrite {
  readonly refused: 'fenced' | 'overtaken';
}

export type WriteAnswer = PlacedWrite | RefusedWrite;

/** Where the journal is held against what a process has: whether both are of one history. */
export interface JournalEnd {
  /** Another one behind each restored backup. */
  readonly epoch: string;
  readonly rev: number;
  readonly seq: number;
}

/**
 * The one order of all writes of a hub that runs in several processes.
 *
 * `append` is one transaction, durable when it resolves: of its writes those that are not refused get the next places, in their order. What it
 * throws (LogUnavailableError, LogFullError) means that it is not known whether they were made; who reads on finds out. No reader by `rev` or `seq`
 * ever passes a place that is filled later.
 */
export interface Journal extends AsyncDisposable {
  append(writes: readonly JournalWrite[]): Promise<readonly WriteAnswer[]>;
  /** Behind that `rev`, in order; at most so many, and not much more than 8 MB. */
  read(afterRev: number, limit: number): Promise<readonly PlacedWrite[]>;
  end(): Promise<JournalEnd>;
  /** Puts a change in place of itself that has lost texts: who reads it from now on gets none of them. One that it does not have any more is left. */
  rewrite(change: Change): Promise<void>;
  /** Called when there may be news. It may miss some: who follows asks from time to time. */
  onNews(listener: () => void): Disposable;
}
