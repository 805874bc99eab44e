import { TidingsError } from '../../../errors/tidings-error.ts';
import { readRuns } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { AtomBatch, type AtomState, type AtomWorld, loadAtomState } from './atom-batch.ts';
import type { AtomShelf } from './atom-shelf.ts';
import type { AtomArchiveHead, AtomFeedRecord } from './atom-store.ts';

export interface AtomShelfOptions extends AtomWorld {
  /** The log behind that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
}

/** The shelf as its hub moves it on. */
export interface OpenAtomShelf extends AtomShelf {
  /**
   * Takes the changes of a commit, in order of `seq`, and resolves when their entries can be found. What cannot be stored is
   * made with the next `add` or `mend`; `trouble` says why. Once the shelf is closed it takes nothing more: the
   * next opening finds it in the log.
   */
  add(changes: readonly Change[]): Promise<void>;
  /** Takes over all that the log has more, and all that could not be stored. */
  mend(): Promise<void>;
}

/** More are not held in memory while they wait: the log has them. */
const MAX_PENDING = 20_000;
/** So many are read from the log before others have their turn. */
const CHANGES_AT_ONCE = 250;

/** Resolves when the feeds stand where the log does. `sourceOf` must know all sources by then. */
export async function openAtomShelf(options: AtomShelfOptions): Promise<OpenAtomShelf> {
  const keeper = new AtomKeeper(options);
  await keeper.mend();
  return keeper;
}

class AtomKeeper implements OpenAtomShelf {
  readonly identity: string;
  readonly #options: AtomShelfOptions;
  /** Undefined when it must be loaded. */
  #state: AtomState | undefined;
  /** As they are stored. */
  readonly #found = new Map<string, AtomFeedRecord>();
  readonly #collections = new Map<string, string[]>();
  #pending: Change[] = [];
  #isBehind = true;
  #isOpen = true;
  #seq: number;
  #trouble: string | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: AtomShelfOptions) {
    this.#options = options;
    this.identity = options.store.identity();
    this.#state = loadAtomState(options.store);
    this.#seq = this.#state.seq;
    for (const record of this.#state.records.values()) this.#show(record);
  }

  get seq(): number {
    return this.#seq;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  find(name: string): AtomFeedRecord | undefined {
    return this.#found.get(name);
  }

  collectionsOf(source: string): readonly string[] {
    return this.#collections.get(source) ?? [];
  }

  entries(feed: string, first: number, last: number): readonly string[] {
    return this.#options.store.entries(feed, first, last);
  }

  archive(feed: string, number: number): AtomArchiveHead | undefined {
    return this.#options.store.archive(feed, number);
  }

  async add(changes: readonly Change[]): Promise<void> {
    if (!this.#isOpen) return;
    if (this.#pending.length + changes.length > MAX_PENDING) {
      this.#pending = [];
      this.#isBehind = true;
    } else for (const change of changes) this.#pending.push(change);
    await this.#inTurn();
  }

  async mend(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isBehind = true;
    await this.#inTurn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOpen = false;
    await this.#turn;
  }

  #inTurn(): Promise<void> {
    const result = this.#turn.then(() => this.#takeAll());
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #takeAll(): Promise<void> {
    if (!this.#isOpen) return;
    try {
      this.#state ??= loadAtomState(this.#options.store);
      await this.#takeRuns(this.#state);
      this.#trouble = undefined;
    } catch (error) {
      this.#state = undefined;
      this.#isBehind = true;
      this.#trouble = error instanceof Error ? error.message : String(error);
      if (!(error instanceof TidingsError)) throw error;
    }
  }

  async #takeRuns(state: AtomState): Promise<void> {
    let batch = new AtomBatch(state, this.#options);
    for await (const run of readRuns(this.#takeWaiting(state.seq))) {
      if (!this.#isOpen) {
        this.#state = undefined;
        return;
      }
      batch.addRun(run);
      if (!batch.isFull) continue;
      this.#store(batch);
      batch = new AtomBatch(state, this.#options);
      await othersFirst();
    }
    this.#store(batch);
  }

  /** What was handed over, where it follows on what is stored; else the log has it. */
  #takeWaiting(seq: number): Iterable<Change> | AsyncIterable<Change> {
    const waiting = this.#pending.filter((change) => change.seq > seq);
    this.#pending = [];
    const isUnbroken = waiting.every((change, index) => change.seq === seq + 1 + index);
    if (!this.#isBehind && isUnbroken) return waiting;
    this.#isBehind = false;
    return inPieces(this.#options.readChanges(seq));
  }

  /** Nothing comes between the write and the moment in which the entries are found. */
  #store(batch: AtomBatch): void {
    const step = batch.finish();
    if (step === undefined) return;
    this.#options.store.write(step);
    for (const record of step.feeds) this.#show(record);
    this.#seq = step.seq;
  }

  #show(record: AtomFeedRecord): void {
    const { name, source, describes } = record;
    if (source !== undefined && describes !== undefined && !this.#found.has(name)) {
      this.#collections.set(source, [...this.collectionsOf(source), name]);
    }
    this.#found.set(name, record);
  }
}

async function* inPieces(changes: AsyncIterable<Change>): AsyncGenerator<Change, void, undefined> {
  let read = 0;
  for await (const change of changes) {
    yield change;
    read += 1;
    if (read % CHANGES_AT_ONCE === 0) await othersFirst();
  }
}

function othersFirst(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
