import { TidingsError } from '../../../errors/tidings-error.ts';
import { statusWord } from '../../../hub/health/source-status.ts';
import { ByteCache } from '../../../hub/http/byte-cache.ts';
import type { WatchedSource } from '../../../hub/store/hub-store.ts';
import { readRuns } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { isWatched } from './entry-facts.ts';
import type { FeedRecord } from './feed-record.ts';
import { RunBatch } from './run-batch.ts';
import type { RunShelf, RunStanding, RunVersion } from './run-shelf.ts';
import { isOutdated, loadRunState, type RunState, type RunWorld } from './run-state.ts';
import type { RunWrite } from './run-store.ts';
import { ServedRun } from './served-run.ts';

export interface RunShelfOptions extends RunWorld {
  /** The ids of all sources that are watched now. */
  readonly sources: () => Iterable<string>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly cacheBytes?: number;
}

/** The shelf as its hub moves it on. */
export interface OpenRunShelf extends RunShelf {
  /**
   * Takes the changes of a commit, in order of `seq`, and resolves when their runs can be found. What cannot be stored is
   * made with the next `add` or `mend`; `trouble` says why. Once the shelf is closed it takes nothing more: the
   * next opening finds it in the log.
   */
  add(changes: readonly Change[]): Promise<void>;
  /**
   * Says that sources may stand otherwise than before: checked, paused, resumed, added, removed. Resolves when their files
   * say so; files are written again for this at most once a second.
   */
  restate(ids: Iterable<string>): Promise<void>;
  /** Takes over all that the log has more, and all that could not be stored. */
  mend(): Promise<void>;
}

const CACHE_BYTES = 32 * 1024 * 1024;
/** More are not held in memory while they wait: the log has them. */
const MAX_PENDING = 20_000;
const RESTATE_EVERY_MS = 1000;

/** Resolves when the files stand where the log and the sources do. `statusOf` must know all sources by then. */
export async function openRunShelf(options: RunShelfOptions): Promise<OpenRunShelf> {
  const keeper = new RunKeeper(options);
  await keeper.mend();
  return keeper;
}

class RunKeeper implements OpenRunShelf {
  readonly #options: RunShelfOptions;
  readonly #cache: ByteCache;
  readonly #served = new Map<string, ServedRun>();
  readonly #closing = new AbortController();
  /** Undefined when it must be loaded. */
  #state: RunState | undefined;
  #pending: Change[] = [];
  /** Those that have a change among them. */
  readonly #pendingSources = new Set<string>();
  #outdated = new Set<string>();
  #isBehind = true;
  #isAllOutdated = true;
  #seq: number;
  #trouble: string | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #turns = 0;
  #restating: Promise<void> | undefined;
  #restatedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: RunShelfOptions) {
    this.#options = options;
    this.#cache = new ByteCache(options.cacheBytes ?? CACHE_BYTES);
    this.#state = loadRunState(options);
    this.#seq = this.#state.seq;
    for (const record of this.#state.records.values()) this.#served.set(record.name, this.#serve(record));
  }

  get seq(): number {
    return this.#seq;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  find(name: string): RunVersion | undefined {
    const served = this.#served.get(name);
    if (served !== undefined) served.wasFound = true;
    return served;
  }

  cursorsOf(name: string): RunStanding | undefined {
    return this.#served.get(name);
  }

  async archive(path: string): Promise<Uint8Array | undefined> {
    const { store } = this.#options;
    const body = store.archive(path);
    return body === undefined ? undefined : store.unpack(body);
  }

  async add(changes: readonly Change[]): Promise<void> {
    if (!this.#isOpen) return;
    if (this.#pending.length + changes.length > MAX_PENDING) {
      this.#pending = [];
      this.#isBehind = true;
    } else {
      for (const change of changes) {
        this.#pending.push(change);
        this.#pendingSources.add(change.source);
      }
    }
    await this.#inTurn();
  }

  async restate(ids: Iterable<string>): Promise<void> {
    if (!this.#isOpen) return;
    const state = this.#turns === 0 ? this.#state : undefined;
    for (const id of ids) {
      if (state === undefined || isOutdated(id, state, this.#options)) this.#outdated.add(id);
      else this.#noteLastOk(id, state);
    }
    if (this.#outdated.size === 0) return;
    this.#restating ??= this.#restateSoon();
    await this.#restating;
  }

  async mend(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isBehind = true;
    await this.#inTurn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#turn;
  }

  get #isOpen(): boolean {
    return !this.#closing.signal.aborted;
  }

  /** At once after a second of rest. */
  async #restateSoon(): Promise<void> {
    const { now, wait } = this.#options;
    const leftMs = Math.min(this.#restatedAtMs + RESTATE_EVERY_MS - now(), RESTATE_EVERY_MS);
    await (leftMs > 0 ? wait(leftMs, this.#closing.signal) : undefined);
    this.#restating = undefined;
    if (this.#outdated.size > 0) await this.#inTurn();
  }

  /** What is stored of it has no haste, but a source that goes away takes its health along. */
  #noteLastOk(id: string, state: RunState): void {
    const record = state.records.get(id);
    const lastOkMs = this.#options.statusOf(id)?.health.lastOkMs;
    if (record !== undefined && lastOkMs !== undefined) state.records.set(id, { ...record, lastOkMs });
  }

  #inTurn(): Promise<void> {
    this.#turns += 1;
    const result = this.#turn
      .then(() => this.#takeAll())
      .finally(() => {
        this.#turns -= 1;
      });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Runs first: how a source stands is said of the newest one. */
  async #takeAll(): Promise<void> {
    if (!this.#isOpen) return;
    try {
      this.#state ??= loadRunState(this.#options);
      await this.#takeRunsAndStatuses(this.#state);
      this.#trouble = undefined;
    } catch (error) {
      this.#state = undefined;
      this.#isBehind = true;
      this.#isAllOutdated = true;
      this.#trouble = error instanceof Error ? error.message : String(error);
      if (!(error instanceof TidingsError)) throw error;
    }
  }

  async #takeRunsAndStatuses(state: RunState): Promise<void> {
    let batch = new RunBatch(state, this.#options);
    const flushFull = async () => {
      if (!batch.isFull) return;
      await this.#store(batch);
      batch = new RunBatch(state, this.#options);
    };
    for await (const run of readRuns(this.#takeWaiting(state.seq))) {
      if (!this.#isOpen) return;
      await batch.addRun(run);
      if (isAbandoned(this.#options.statusOf(run.source))) this.#outdated.add(run.source);
      await flushFull();
    }
    for (const id of this.#takeOutdated(state)) {
      // What came in meanwhile is a run of the next turn, and how its source stands is said behind it.
      if (this.#pendingSources.has(id)) {
        this.#outdated.add(id);
        continue;
      }
      await batch.restate(id);
      await flushFull();
    }
    await this.#store(batch);
  }

  /** What was handed over, where it follows on what is stored; else the log has it. */
  #takeWaiting(seq: number): Iterable<Change> | AsyncIterable<Change> {
    const waiting = this.#pending.filter((change) => change.seq > seq);
    this.#pending = [];
    this.#pendingSources.clear();
    const isUnbroken = waiting.every((change, index) => change.seq === seq + 1 + index);
    if (!this.#isBehind && isUnbroken) return waiting;
    this.#isBehind = false;
    return this.#options.readChanges(seq);
  }

  #takeOutdated({ records }: RunState): Iterable<string> {
    const outdated = this.#outdated;
    this.#outdated = new Set();
    if (!this.#isAllOutdated) return outdated;
    this.#isAllOutdated = false;
    return new Set([...this.#options.sources(), ...records.keys()]);
  }

  /** Nothing comes between the write and the moment in which all new versions are served. */
  async #store(batch: RunBatch): Promise<void> {
    const step = await batch.finish();
    if (step === undefined) return;
    for (const { record } of step.feeds) this.#served.get(record.name)?.keepIfFound();
    this.#options.store.write(step);
    if (step.seq === step.after) this.#restatedAtMs = this.#options.now();
    this.#swap(step);
  }

  #swap({ feeds, seq }: RunWrite): void {
    for (const { record } of feeds) {
      this.#served.get(record.name)?.leave();
      this.#served.set(record.name, this.#serve(record));
    }
    this.#seq = seq;
  }

  #serve(record: FeedRecord): ServedRun {
    return new ServedRun(record, { store: this.#options.store, cache: this.#cache });
  }
}

/** A run of such a source is the last one for now: no check will end behind it. */
function isAbandoned(source: WatchedSource | undefined): boolean {
  return !isWatched(source) || statusWord(source) === 'disabled';
}
