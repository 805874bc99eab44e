import { isJournalCut } from '../../errors/database-error.ts';
import { otherHistoryError } from '../../errors/replica-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { Journal, JournalEnd, PlacedWrite } from './journal.ts';
import { PassingTrouble } from './passing-trouble.ts';
import { ReplicaWaiters } from './replica-waiters.ts';
import { markOf } from './write-mark.ts';

/** How far a store has come. */
export interface ReplicaStanding {
  readonly epoch: string;
  readonly rev: number;
  /** The mark of the write at `rev`; absent if none was applied since the store was filled from a base. */
  readonly mark?: string;
}

/** The store of a process that follows the journal. */
export interface ReplicaStore {
  /** Undefined before it belongs to any hub. */
  standing(): ReplicaStanding | undefined;
  /** From now on the store belongs to this history. */
  begin(epoch: string): void;
  /** Applies one write completely or not at all, together with the new position. Resolves to the result of the write. */
  apply(write: PlacedWrite): Promise<unknown>;
}

export interface ReplicaOptions {
  readonly journal: Journal;
  readonly store: ReplicaStore;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The journal cannot be read, or a write cannot be applied now; it is tried again. Called once until the trouble is over. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  /** The replica has ended, and a person has to look. */
  readonly onEnd?: ((error: unknown) => void) | undefined;
}

/** What a process knows about its replica. */
export interface ReplicaState {
  readonly rev: number;
  /** The end of the journal, when it was last read. */
  readonly endRev: number;
  /** When it last had everything. Undefined if it never had. */
  readonly currentAtMs: number | undefined;
  /** Why the journal cannot be followed now. */
  readonly trouble: string | undefined;
}

type AppliedListener = (write: PlacedWrite, result: unknown) => void;

/** How often the journal is asked without other news. */
const ASK_EVERY_MS = 1000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const WRITES_AT_ONCE = 64;
const TURN_MS = 5;
/** The results of this many writes are remembered. */
const REMEMBERED_WRITES = 2000;

/**
 * Follows the journal: applies every write after its own position to the store of this process, one at a time, in order. The store can be read all the time,
 * whatever happens to the journal.
 */
export class Replica implements AsyncDisposable {
  readonly #options: ReplicaOptions;
  readonly #over = new AbortController();
  readonly #listeners: AppliedListener[] = [];
  readonly #waiters = new ReplicaWaiters();
  /** Writes of this process: they need not be read again. */
  readonly #known = new Map<number, PlacedWrite>();
  readonly #done = new Map<number, { readonly mark: string; readonly result: unknown }>();
  readonly #trouble: PassingTrouble;
  #standing: ReplicaStanding;
  #endRev = 0;
  #currentAtMs: number | undefined;
  #ended: unknown;
  #idle = new AbortController();
  #hasNews = false;
  /** Whether its last write is known to be that of the journal; checked again after an outage. */
  #isProven = false;
  /** When other work last had its turn. */
  #turnAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();

  /** A store that belongs to no history yet needs the end of the journal. */
  constructor(options: ReplicaOptions, end?: JournalEnd) {
    const { store, onTrouble } = options;
    this.#options = options;
    this.#trouble = new PassingTrouble({ firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, onTrouble });
    if (store.standing() === undefined && end !== undefined) store.begin(end.epoch);
    const standing = store.standing();
    if (standing === undefined) throw new Error('A new replica needs its journal.');
    this.#standing = standing;
    if (end !== undefined) this.#hear(end);
  }

  get rev(): number {
    return this.#standing.rev;
  }

  get state(): ReplicaState {
    const trouble = this.#ended ?? this.#trouble.error;
    return {
      rev: this.rev,
      endRev: this.#endRev,
      currentAtMs: this.#currentAtMs,
      trouble: trouble === undefined ? undefined : trouble instanceof Error ? trouble.message : String(trouble),
    };
  }

  /** Whether it has everything that the journal had when it was last asked. */
  get isCurrent(): boolean {
    return this.#currentAtMs !== undefined && this.rev >= this.#endRev;
  }

  start(): void {
    const news = this.#options.journal.onNews(() => this.#wake());
    this.#running = this.#run().finally(() => news[Symbol.dispose]());
  }

  /** Called after each applied write, in order. */
  onApplied(listener: AppliedListener): void {
    this.#listeners.push(listener);
  }

  /** Resolves when the write at that place is applied here. */
  async applied(rev: number): Promise<unknown> {
    if (rev <= this.rev) return this.#done.get(rev)?.result;
    if (this.#ended !== undefined) throw this.#ended;
    return await this.#waiters.forWrite(rev);
  }

  /** Takes a write of this process that is in the journal. Resolves to its result, once it is applied here. */
  async take(write: PlacedWrite): Promise<unknown> {
    const done = this.#done.get(write.rev);
    if (done !== undefined && done.mark !== markOf(write)) {
      const error = otherHistoryError(`the journal has given place ${write.rev} twice`);
      this.#end(error);
      throw error;
    }
    if (write.rev > this.rev) this.#known.set(write.rev, write);
    this.#wake();
    return this.applied(write.rev);
  }

  /** Resolves when everything that is in the journal now is applied, and both are known to have one history. */
  async current(): Promise<void> {
    const { rev } = await this.#options.journal.end();
    this.#wake();
    await this.applied(rev);
    await this.#proof();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    this.#idle.abort();
    await this.#running;
    this.#waiters.refuse(new Error('The replica is closed.'));
  }

  /** Rejects if the journal becomes unreachable first. */
  async #proof(): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#isProven) return;
    await this.#waiters.forProof();
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted && this.#ended === undefined) {
      try {
        const writes = await this.#next();
        for (const write of writes) {
          await this.#letOthers();
          if (signal.aborted) return;
          await this.#make(write);
        }
        this.#trouble.over();
        if (writes.length === 0) await this.#rest();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof TidingsError) || error.recovery !== 'retry-later') return this.#end(error);
        this.#trouble.met(error);
        this.#isProven = false;
        this.#waiters.notProven(error);
        await this.#options.wait(this.#trouble.pauseMs, signal);
      }
    }
  }

  /** Small writes follow each other directly; between longer ones, requests to this process get their turn. */
  async #letOthers(): Promise<void> {
    const { now } = this.#options;
    if (Math.abs(now() - this.#turnAtMs) < TURN_MS) return;
    await othersFirst();
    this.#turnAtMs = now();
  }

  /** The writes after its own position. Empty: it has everything. */
  async #next(): Promise<readonly PlacedWrite[]> {
    const { journal } = this.#options;
    const known = this.#known.get(this.rev + 1);
    if (known !== undefined && this.#isProven) return [known];
    this.#hasNews = false;
    if (this.rev < this.#endRev && this.#isProven) return this.#behind(await journal.read(this.rev, WRITES_AT_ONCE));
    this.#hear(await journal.end());
    if (this.rev === this.#endRev && this.#isProven) return [];
    const news = this.#behind(await this.#readWithOwn());
    this.#isProven = true;
    this.#waiters.proven();
    return news;
  }

  /** Includes the write that it applied last, if the journal still has it: if that differs, so does the history. */
  async #readWithOwn(): Promise<readonly PlacedWrite[]> {
    const { journal } = this.#options;
    try {
      return await journal.read(Math.max(0, this.rev - 1), WRITES_AT_ONCE);
    } catch (error) {
      if (!isJournalCut(error)) throw error;
      return journal.read(this.rev, WRITES_AT_ONCE);
    }
  }

  #behind(writes: readonly PlacedWrite[]): readonly PlacedWrite[] {
    const { rev, mark } = this.#standing;
    const own = writes.find((write) => write.rev === rev);
    if (own !== undefined && mark !== undefined && markOf(own) !== mark) {
      throw otherHistoryError(`both have another write at ${rev}`);
    }
    return writes.filter((write) => write.rev > rev);
  }

  #hear({ epoch, rev }: JournalEnd): void {
    const { epoch: own, rev: ownRev } = this.#standing;
    if (epoch !== own) throw otherHistoryError('the database has begun another one');
    if (rev < ownRev) throw otherHistoryError(`the database ends at ${rev}, this replica at ${ownRev}`);
    this.#endRev = Math.max(rev, this.#endRev);
    if (rev === ownRev) this.#currentAtMs = this.#options.now();
  }

  async #make(write: PlacedWrite): Promise<void> {
    const { store } = this.#options;
    const result = await store.apply(write);
    const { rev } = write;
    const mark = store.standing()?.mark ?? markOf(write);
    this.#standing = { ...this.#standing, rev, mark };
    this.#endRev = Math.max(this.#endRev, rev);
    this.#known.delete(rev);
    this.#done.set(rev, { mark, result });
    this.#done.delete(rev - REMEMBERED_WRITES);
    for (const listener of this.#listeners) listener(write, result);
    this.#waiters.made(rev, result);
  }

  /** Waits until there may be news. */
  async #rest(): Promise<void> {
    if (this.#hasNews) return;
    this.#idle = new AbortController();
    await this.#options.wait(ASK_EVERY_MS, AbortSignal.any([this.#idle.signal, this.#over.signal]));
  }

  #wake(): void {
    this.#hasNews = true;
    this.#idle.abort();
  }

  #end(error: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#waiters.refuse(error);
    this.#idle.abort();
    this.#options.onEnd?.(error);
  }
}
