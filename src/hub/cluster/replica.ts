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
  /** Of the write at `rev`; absent where none was applied here since it was filled. */
  readonly mark?: string;
}

/** The store of a process that follows the journal. */
export interface ReplicaStore {
  /** Undefined before it belongs to any hub. */
  standing(): ReplicaStanding | undefined;
  /** From now on it is of this history. */
  begin(epoch: string): void;
  /** Makes one write, whole or not at all, together with where it stands then. Resolves to what the write came to. */
  apply(write: PlacedWrite): Promise<unknown>;
}

export interface ReplicaOptions {
  readonly journal: Journal;
  readonly store: ReplicaStore;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The journal cannot be read, or a write cannot be made now; it is tried again. Called once until it is over. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  /** It goes no further, and somebody has to look. */
  readonly onEnd?: ((error: unknown) => void) | undefined;
}

/** What a process can say of its replica. */
export interface ReplicaState {
  readonly rev: number;
  /** Of the journal, when it was last heard. */
  readonly endRev: number;
  /** When it was last known to have all that there was. Undefined before it ever had. */
  readonly currentAtMs: number | undefined;
  /** Why the journal cannot be followed now. */
  readonly trouble: string | undefined;
}

type AppliedListener = (write: PlacedWrite, result: unknown) => void;

/** Without a word of news the journal is asked this often. */
const ASK_EVERY_MS = 1000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const WRITES_AT_ONCE = 64;
const TURN_MS = 5;
/** Of so many writes it is known what they came to. */
const REMEMBERED_WRITES = 2000;

/**
 * Follows the journal: makes every write behind its own place in the store of this process, one at a time, in their order. Reads of the store go
 * on meanwhile, whatever happens to the journal.
 */
export class Replica implements AsyncDisposable {
  readonly #options: ReplicaOptions;
  readonly #over = new AbortController();
  readonly #listeners: AppliedListener[] = [];
  readonly #waiters = new ReplicaWaiters();
  /** Written by this process: they need not be read again. */
  readonly #known = new Map<number, PlacedWrite>();
  readonly #done = new Map<number, { readonly mark: string; readonly result: unknown }>();
  readonly #trouble: PassingTrouble;
  #standing: ReplicaStanding;
  #endRev = 0;
  #currentAtMs: number | undefined;
  #ended: unknown;
  #idle = new AbortController();
  #hasNews = false;
  /** Whether its last write is that of the journal; asked anew when it was away. */
  #isProven = false;
  /** When others had their turn. */
  #turnAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();

  /** Where the journal ends must be known to a store that belongs to no history yet. */
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

  /** Whether it has all that the journal had when it was last asked. */
  get isCurrent(): boolean {
    return this.#currentAtMs !== undefined && this.rev >= this.#endRev;
  }

  start(): void {
    const news = this.#options.journal.onNews(() => this.#wake());
    this.#running = this.#run().finally(() => news[Symbol.dispose]());
  }

  /** Called behind each write, in order, when it is made. */
  onApplied(listener: AppliedListener): void {
    this.#listeners.push(listener);
  }

  /** Resolves when the write of that place is made here. */
  async applied(rev: number): Promise<unknown> {
    if (rev <= this.rev) return this.#done.get(rev)?.result;
    if (this.#ended !== undefined) throw this.#ended;
    return await this.#waiters.forWrite(rev);
  }

  /** A write of this process that stands in the journal. Resolves to what it came to, when it is made here. */
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

  /** Resolves when all is made that stands in the journal now, and both are known to be of one history. */
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

  /** Rejects when the journal goes away before it is known. */
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

  /** Many small writes follow each other at once; between longer ones whoever asks this process has a turn. */
  async #letOthers(): Promise<void> {
    const { now } = this.#options;
    if (Math.abs(now() - this.#turnAtMs) < TURN_MS) return;
    await othersFirst();
    this.#turnAtMs = now();
  }

  /** Behind its own place. None: it has all that there is. */
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

  /** With the write that it made last, where that is still kept: where it is another one, so is the history. */
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

  /** Until there may be news. */
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
