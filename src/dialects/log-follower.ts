import { TidingsError } from '../errors/tidings-error.ts';
import { othersFirst } from '../log/others-first.ts';
import { type Run, readRuns } from '../log/runs-of.ts';
import type { Change } from '../model/change.ts';
import { type StepRelay, stepOvertakenError } from './step-relay.ts';

/** Runs that are stored together. */
export interface FollowedBatch<Step> {
  /** Whether it must be stored before more is added. */
  readonly isFull: boolean;
  addRun(run: Run): void | Promise<void>;
  /** The step to store; undefined if there is nothing new. */
  finish(): Step | undefined | Promise<Step | undefined>;
}

/** The documents of one dialect, which a follower brings forward. */
export interface FollowedDocuments<State extends { seq: number }, Batch extends FollowedBatch<Step>, Step> {
  /** The log after that `seq`, in order. */
  readChanges(after: number): AsyncIterable<Change>;
  /** The current state of the documents. Called at the start, and again after a step could not be stored. */
  load(): State | Promise<State>;
  begin(state: State): Batch;
  /** Aborting it closes the follower. */
  readonly stopping?: AbortSignal | undefined;
  /** A run with more changes is split into parts, each handled as a separate run. Absent: a run is never split. */
  readonly mostChanges?: number;
  /** How many changes are handled before other work gets a turn; at least one run. */
  readonly changesAtOnce?: number;
  /** Stores a step: durable when it is done. If it throws, the step is not stored. */
  store(step: Step): void | Promise<void>;
  /** Shows a stored step, right after it was stored. Absent: documents are read from the store. */
  show?(step: Step): void;
  /** For a hub of several processes; `store` must then be done when it returns. Absent: every step is made here or follows from the log alone. */
  readonly relay?: StepRelay<Step> | undefined;
  /** Runs without documents: they were published before and cannot be reproduced in the same words. */
  skips?(run: Run): boolean;
  /** What to write after the runs of a turn, piece by piece. */
  more?(state: State): Iterable<(batch: Batch) => Promise<void>>;
  /** Called when everything that waited is stored. */
  settle?(): Promise<void>;
  /** Whether the disk or the log failed, as opposed to our code. Absent: a {@link TidingsError} means that. */
  isExpected?(error: unknown): boolean;
}

/** At most this many waiting changes are held in memory. The log has the rest. */
const MAX_PENDING = 20_000;
/** How many changes are read from the log, or handled, before other work gets a turn. */
const CHANGES_AT_ONCE = 250;

/**
 * Keeps documents up to date with the log. It takes the changes that it is given if they directly follow what is stored, and reads the log otherwise.
 * Turns run one at a time. A step that cannot be stored is tried again in the next turn, and `trouble` says why.
 *
 * While another process makes the steps, it takes those and nothing from the log. When this process becomes the maker, it continues from what is
 * stored.
 */
export class LogFollower<
  State extends { seq: number },
  Batch extends FollowedBatch<Step>,
  Step extends { readonly seq: number },
> {
  readonly #documents: FollowedDocuments<State, Batch, Step>;
  readonly #closing = new AbortController();
  /** Undefined if it must be loaded. */
  #state: State | undefined;
  #pending: Change[] = [];
  readonly #pendingSources = new Set<string>();
  #isBehind = true;
  #seq = 0;
  #skippedSeq = 0;
  #trouble: string | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #turns = 0;
  #isSending = false;

  constructor(documents: FollowedDocuments<State, Batch, Step>) {
    this.#documents = documents;
    const { stopping } = documents;
    if (stopping?.aborted) this.#closing.abort();
    stopping?.addEventListener('abort', () => this.#closing.abort(), { once: true });
    documents.relay?.onStep({ store: (step) => void documents.store(step), show: (step) => this.#showStep(step) });
  }

  /** Whether steps are made here. */
  get isMaker(): boolean {
    return this.#documents.relay?.isMaker() ?? true;
  }

  /** The newest `seq` that the documents have. */
  get seq(): number {
    return Math.max(this.#seq, this.#skippedSeq);
  }

  /** Why the documents lag behind the log; undefined if they do not. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  get isOpen(): boolean {
    return !this.#closing.signal.aborted;
  }

  /** Aborted when the follower is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The state of the documents while no turn changes them. */
  get restingState(): State | undefined {
    return this.#turns === 0 ? this.#state : undefined;
  }

  /** Whether a change of that source arrived after those that the current turn handles. */
  isAwaited(source: string): boolean {
    return this.#pendingSources.has(source);
  }

  /** Resolves when the documents are up to date with the log, or with the process that makes them; fails if they cannot be loaded. */
  async open(): Promise<void> {
    await this.#loaded();
    await this.mend();
  }

  /**
   * Takes the changes of a commit, in order of `seq`, and resolves when they can be found. A closed follower takes nothing more: the next opening
   * finds the changes in the log.
   */
  async add(changes: readonly Change[]): Promise<void> {
    if (!this.isOpen || !this.isMaker) return;
    for (const { source } of changes) this.#pendingSources.add(source);
    if (this.#pending.length + changes.length > MAX_PENDING) {
      this.#pending = [];
      this.#isBehind = true;
    } else for (const change of changes) this.#pending.push(change);
    await this.takeTurn();
  }

  /** Takes everything that the log has in addition, and everything that could not be stored. */
  async mend(): Promise<void> {
    if (!this.isOpen) return;
    this.#isBehind = true;
    await this.takeTurn();
  }

  /** Makes the next turn load the documents again and read the log from there. */
  forget(): void {
    this.#state = undefined;
    this.#isBehind = true;
  }

  /** Waits for its turn, then handles everything that waits. */
  takeTurn(): Promise<void> {
    this.#turns += 1;
    const result = this.#turn
      .then(() => this.#takeAll())
      .finally(() => {
        this.#turns -= 1;
      });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Resolves when nothing is being stored any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
  }

  async #loaded(): Promise<State> {
    if (this.#state !== undefined) return this.#state;
    const state = await this.#documents.load();
    this.#seq = state.seq;
    this.#state = state;
    return state;
  }

  async #takeAll(): Promise<void> {
    // A commit is handed to all followers at the same time.
    await othersFirst();
    if (!this.isOpen) return;
    if (!this.isMaker) return this.#rest();
    try {
      await this.#takeRuns(await this.#loaded());
      this.#trouble = undefined;
      if (this.isOpen) await this.#documents.settle?.();
    } catch (error) {
      this.forget();
      this.#trouble = error instanceof Error ? error.message : String(error);
      const { isExpected = isTidingsError } = this.#documents;
      if (this.isOpen && !isExpected(error)) throw error;
    }
  }

  /** Steps of another process arrive by themselves; nothing is kept here for them. */
  #rest(): void {
    this.forget();
    this.#pending = [];
    this.#pendingSources.clear();
    this.#trouble = undefined;
  }

  /** The state in memory does not contain a step that was made elsewhere or given up here. */
  #showStep(step: Step): void {
    this.#documents.show?.(step);
    this.#seq = step.seq;
    if (!this.#isSending) this.forget();
  }

  async #takeRuns(state: State): Promise<void> {
    const { changesAtOnce = CHANGES_AT_ONCE } = this.#documents;
    let taken = 0;
    let batch = this.#documents.begin(state);
    const storeFull = async () => {
      if (!batch.isFull) return;
      await this.#store(batch, state);
      batch = this.#documents.begin(state);
      await othersFirst();
    };
    for await (const run of readRuns(this.#takeWaiting(state.seq))) {
      if (this.#documents.skips?.(run)) {
        this.#skippedSeq = run.changes.at(-1)?.seq ?? 0;
        continue;
      }
      for (const part of partsOf(run, this.#documents.mostChanges)) {
        if (!this.isOpen) return this.forget();
        await batch.addRun(part);
        await storeFull();
        taken += part.changes.length;
        if (taken < changesAtOnce) continue;
        taken = 0;
        await othersFirst();
      }
    }
    for (const say of this.#documents.more?.(state) ?? []) {
      if (!this.isOpen) return this.forget();
      await say(batch);
      await storeFull();
      await othersFirst();
    }
    await this.#store(batch, state);
  }

  /** The changes that were handed over if they directly follow what is stored; otherwise the log. */
  #takeWaiting(seq: number): Iterable<Change> | AsyncIterable<Change> {
    const waiting = this.#pending.filter((change) => change.seq > seq);
    this.#pending = [];
    this.#pendingSources.clear();
    const isUnbroken = waiting.every((change, index) => change.seq === seq + 1 + index);
    if (!this.#isBehind && isUnbroken) return waiting;
    this.#isBehind = false;
    return inPieces(this.#documents.readChanges(seq), this.closing);
  }

  async #store(batch: Batch, state: State): Promise<void> {
    const step = await batch.finish();
    if (step === undefined) return;
    const { relay } = this.#documents;
    if (relay !== undefined) await this.#send(step, { relay, state });
    else {
      const storing = this.#documents.store(step);
      if (storing !== undefined) await storing;
      this.#documents.show?.(step);
    }
    state.seq = step.seq;
    this.#seq = step.seq;
  }

  async #send(step: Step, { relay, state }: { readonly relay: StepRelay<Step>; readonly state: State }): Promise<void> {
    if (this.#state !== state) throw stepOvertakenError();
    this.#isSending = true;
    try {
      await relay.send(step);
    } finally {
      this.#isSending = false;
    }
  }
}

function isTidingsError(error: unknown): boolean {
  return error instanceof TidingsError;
}

/** Fails once the follower is closed: a run that is cut off there must not be taken for a whole one. */
async function* inPieces(
  changes: AsyncIterable<Change>,
  closing: AbortSignal,
): AsyncGenerator<Change, void, undefined> {
  let read = 0;
  for await (const change of changes) {
    yield change;
    read += 1;
    if (read % CHANGES_AT_ONCE !== 0) continue;
    await othersFirst();
    closing.throwIfAborted();
  }
}

/** Keeps consecutive changes of one page together. */
function* partsOf(run: Run, most = Number.POSITIVE_INFINITY): Generator<Run, void, undefined> {
  const { changes } = run;
  for (let start = 0; start < changes.length; ) {
    let end = Math.min(start + most, changes.length);
    while (end < changes.length && changes[end]?.url === changes[end - 1]?.url) end += 1;
    yield start === 0 && end === changes.length ? run : { ...run, changes: changes.slice(start, end) };
    start = end;
  }
}
