import type { WatchedSource } from './hub-store.ts';
import { type Alarm, Scheduler } from './schedule/scheduler.ts';
import type { VisitOutcome } from './visit/visit.ts';
import { checked, type FinishedOutcome, INTERNAL_ERROR, type Look, look } from './watch-check.ts';
import type { WatchEvent } from './watch-event.ts';
import { laneTaskOf } from './watch-sources.ts';
import type { WatchWriter } from './watch-writer.ts';

export interface SourceVisitsOptions {
  /** Rejects only when the store refuses what was found. Ends soon once the signal is aborted. */
  readonly visit: (source: WatchedSource, signal: AbortSignal) => Promise<VisitOutcome>;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  readonly concurrency: number;
  readonly allowPrivate: boolean;
  readonly onEvent: (event: WatchEvent) => void;
}

interface Visit {
  readonly startedMs: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  /** Resumed meanwhile: the next visit is planned already. */
  isOverruled: boolean;
}

/** A source while it is watched. */
export interface WatchEntry {
  source: WatchedSource;
  visit: Visit | undefined;
  /** How often in a row the store refused what its visit found. */
  refusals: number;
}

const PATIENCE_MS = 10_000;
/** Before a visit is made again that came to nothing by no fault of the source. */
const AGAIN_MS = 30_000;
const LONGEST_AGAIN_MS = 10 * 60_000;

/** Visits the sources that are entered when they are due, and keeps how each of them stands. */
export class SourceVisits {
  readonly #options: SourceVisitsOptions;
  readonly #writer: WatchWriter;
  readonly #entries: ReadonlyMap<string, WatchEntry>;
  readonly #scheduler: Scheduler;
  readonly #running = new Set<Visit>();
  #isOver = false;

  constructor(entries: ReadonlyMap<string, WatchEntry>, writer: WatchWriter, options: SourceVisitsOptions) {
    const { now, alarm, concurrency, onEvent } = options;
    this.#options = options;
    this.#writer = writer;
    this.#entries = entries;
    this.#scheduler = new Scheduler({
      concurrency,
      now,
      alarm,
      run: (id) => this.#visit(id),
      onLate: (lagMs) => onEvent({ is: 'late', lagMs }),
    });
  }

  plan({ config }: WatchedSource, delayMs: number): void {
    this.#scheduler.plan(laneTaskOf(config), delayMs);
  }

  /** A visit that runs goes on. */
  forget(id: string): void {
    this.#scheduler.forget(id);
  }

  /** Starts nothing new, asks what runs to end, and waits at most 10 s for it. What ends later does not count any more. */
  async stop(): Promise<void> {
    const idle = this.#scheduler.stop();
    for (const { abort } of this.#running) abort.abort();
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.#options.alarm(PATIENCE_MS, resolve);
    });
    await Promise.race([idle, patience]);
    cancel();
    this.#isOver = true;
  }

  async #visit(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;

    const abort = new AbortController();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const visit: Visit = { startedMs: this.#options.now(), abort, ended, isOverruled: false };
    entry.visit = visit;
    this.#running.add(visit);
    const found = await look(async () => this.#options.visit(entry.source, abort.signal), abort.signal);
    this.#running.delete(visit);
    entry.visit = undefined;
    if (!this.#isOver) this.#conclude(entry, visit, found);
    end();
  }

  #conclude(entry: WatchEntry, visit: Visit, found: Look): void {
    const { onEvent } = this.#options;
    const { source } = entry;
    const isGone = this.#entries.get(source.config.id) !== entry;
    const outcome = found.is === 'broken' ? INTERNAL_ERROR : found;
    if (found.is === 'broken') onEvent({ is: 'bug', source: source.config.id, error: found.error });
    if (outcome.is === 'refused') {
      this.#writer.refused(outcome.error);
      entry.refusals += 1;
      this.#again(entry, visit);
    } else if (outcome.is === 'abandoned' || isGone) {
      onEvent({ is: 'abandoned', source, changes: outcome.changes });
      this.#again(entry, visit);
    } else {
      this.#record(entry, visit, outcome);
    }
  }

  #record(entry: WatchEntry, { startedMs, isOverruled }: Visit, outcome: FinishedOutcome): void {
    const { now, random, allowPrivate, onEvent } = this.#options;
    const facts = { startedMs, endedMs: now(), isOverruled, random, allowPrivate };
    const { source, check, delayMs } = checked(entry.source, outcome, facts);
    entry.source = source;
    entry.refusals = 0;
    this.#writer.record(check);
    onEvent({ is: 'checked', source, outcome, check });
    this.#planNext(entry, isOverruled, delayMs);
  }

  /** There was no check; the source stays due. */
  #again(entry: WatchEntry, { isOverruled }: Visit): void {
    const delayMs = Math.min(AGAIN_MS * 2 ** Math.max(0, entry.refusals - 1), LONGEST_AGAIN_MS);
    this.#planNext(entry, isOverruled, delayMs);
  }

  #planNext(entry: WatchEntry, isOverruled: boolean, delayMs: number): void {
    const isWatched = this.#entries.get(entry.source.config.id) === entry && entry.source.paused === undefined;
    if (isWatched && !isOverruled) this.plan(entry.source, delayMs);
  }
}
