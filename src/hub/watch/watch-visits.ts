import type { LaneTask } from '../schedule/host-lanes.ts';
import { hastenedAtMs } from '../schedule/rhythm.ts';
import { type Alarm, Scheduler } from '../schedule/scheduler.ts';
import type { PlannedVisits, VisitEnd, VisitPlan } from '../schedule/visit-plan.ts';
import type { SourceHealth, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import { checked, type FinishedOutcome, INTERNAL_ERROR, type Look, look, refusedOutcome } from './watch-check.ts';
import type { WatchEvent } from './watch-event.ts';
import { laneTaskOf } from './watch-sources.ts';
import type { WatchWriter } from './watch-writer.ts';

export interface SourceVisitsOptions {
  /** Rejects only if the store refuses what was found. Ends soon after the signal is aborted. `isAsked`: by an operator. */
  readonly visit: (
    source: WatchedSource,
    signal: AbortSignal,
    asked: { readonly isAsked: boolean },
  ) => Promise<VisitOutcome>;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly concurrency: number;
  readonly allowPrivate: boolean;
  readonly onEvent: (event: WatchEvent) => void;
  /** Decides when sources are visited. Absent: this process does, for all of them. */
  readonly openPlan?: ((visits: PlannedVisits) => VisitPlan) | undefined;
  /** Receives every finished check before it is reported, and returns the factor by which the rest of the source may exceed its interval. */
  readonly restAfter?: ((look: FinishedLook) => number) | undefined;
}

/** A finished check. */
export interface FinishedLook {
  /** As it was before the check. */
  readonly source: WatchedSource;
  readonly outcome: FinishedOutcome;
  readonly startedMs: number;
  readonly endedMs: number;
}

interface Visit {
  readonly startedMs: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  /** Resumed during the visit: the next visit is already planned. */
  isOverruled: boolean;
  /** Somebody reported news during the visit: the next visit comes this long after it. */
  hastenedMs?: number;
}

/** A source while it is watched. */
export interface WatchEntry {
  source: WatchedSource;
  visit: Visit | undefined;
  /** How often in a row the store refused what its visit found. */
  refusals: number;
  /** How long its last visit took. */
  tookMs: number;
  /** An operator wants the next visit. */
  isAsked: boolean;
}

/** Leaves time to write the rest within 10 s. */
const PATIENCE_MS = 8000;
/** Slow origins must not hold the slots of those that answer. */
const SLOW_MS = 5000;
/** The delay before a visit is repeated that failed through no fault of the source. */
const AGAIN_MS = 30_000;
const LONGEST_AGAIN_MS = 10 * 60_000;

/** Visits the entered sources when they are due, and keeps the state of each. */
export class SourceVisits {
  readonly #options: SourceVisitsOptions;
  readonly #writer: WatchWriter;
  readonly #entries: ReadonlyMap<string, WatchEntry>;
  readonly #plan: VisitPlan;
  readonly #running = new Set<Visit>();
  #isOver = false;

  constructor(entries: ReadonlyMap<string, WatchEntry>, writer: WatchWriter, options: SourceVisitsOptions) {
    const { onEvent, openPlan = (visits) => new Scheduler({ ...options, ...visits }) } = options;
    this.#options = options;
    this.#writer = writer;
    this.#entries = entries;
    this.#plan = openPlan({
      run: (id) => this.#visit(id),
      abandon: (id) => this.#entries.get(id)?.visit?.abort.abort(),
      onLate: (lagMs) => onEvent({ is: 'late', lagMs }),
    });
  }

  plan(source: WatchedSource, delayMs: number): void {
    this.#plan.plan(this.#taskOf(source), delayMs);
  }

  /** There may be news: the next visit comes `floorMs` after the last one, if that is sooner than planned. A running visit may have missed the news. */
  hasten(entry: WatchEntry, floorMs: number): void {
    const { source, visit } = entry;
    if (source.paused !== undefined) return;
    if (visit !== undefined) {
      visit.hastenedMs = Math.min(visit.hastenedMs ?? floorMs, floorMs);
      return;
    }
    const nowMs = this.#options.now();
    const dueAtMs = hastenedAtMs(source.health, nowMs, floorMs);
    // A source that is already due keeps its turn.
    if (dueAtMs >= source.health.dueAtMs) return;
    entry.source = { ...source, health: { ...source.health, dueAtMs } };
    this.#plan.hasten(this.#taskOf(source), dueAtMs - nowMs);
  }

  /** A running visit continues. */
  forget(id: string): void {
    this.#plan.forget(id);
  }

  /** Starts nothing new, asks running visits to end, and waits at most 8 s for them. What ends later does not count. */
  async stop(): Promise<void> {
    const idle = this.#plan.stop();
    for (const { abort } of this.#running) abort.abort();
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.#options.alarm(PATIENCE_MS, resolve);
    });
    await Promise.race([idle, patience]);
    cancel();
    this.#isOver = true;
  }

  #taskOf({ config }: WatchedSource): LaneTask {
    const { tookMs = 0 } = this.#entries.get(config.id) ?? {};
    return laneTaskOf(config, { wasSlow: tookMs > SLOW_MS });
  }

  async #visit(id: string): Promise<VisitEnd> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return putOff(AGAIN_MS);

    const abort = new AbortController();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const visit: Visit = { startedMs: this.#options.now(), abort, ended, isOverruled: false };
    entry.visit = visit;
    this.#running.add(visit);
    const { isAsked } = entry;
    entry.isAsked = false;
    const found = await look(async () => this.#options.visit(entry.source, abort.signal, { isAsked }), abort.signal);
    this.#running.delete(visit);
    entry.visit = undefined;
    const ending = this.#isOver ? putOff(AGAIN_MS) : this.#conclude(entry, visit, found);
    end();
    return ending;
  }

  #conclude(entry: WatchEntry, visit: Visit, found: Look): VisitEnd {
    const { onEvent } = this.#options;
    const { source } = entry;
    const isGone = this.#entries.get(source.config.id) !== entry;
    if (found.is === 'broken') onEvent({ is: 'bug', source: source.config.id, error: found.error });
    if (found.is === 'refused') this.#writer.refused(found.error);
    if (found.is === 'abandoned' || isGone) {
      onEvent({ is: 'abandoned', source, changes: 'changes' in found ? found.changes : 0 });
      return this.#planNext(entry, visit.isOverruled, AGAIN_MS);
    }
    if (found.is === 'refused') {
      const againMs = Math.min(AGAIN_MS * 2 ** entry.refusals, LONGEST_AGAIN_MS);
      entry.refusals += 1;
      return this.#record(entry, { ...visit, againMs }, refusedOutcome(found.error));
    }
    if (found.is === 'read' && found.isUnasked && found.changes === 0)
      return this.#postpone(entry, visit.isOverruled, found.freshMs ?? AGAIN_MS);
    entry.refusals = 0;
    return this.#record(entry, visit, found.is === 'broken' ? INTERNAL_ERROR : found);
  }

  /** No request was made and nothing was found: this is not a check, and says nothing about the source. */
  #postpone(entry: WatchEntry, isOverruled: boolean, delayMs: number): VisitEnd {
    if (!isOverruled) {
      const { health } = entry.source;
      entry.source = { ...entry.source, health: { ...health, dueAtMs: this.#options.now() + delayMs } };
    }
    this.#options.onEvent({ is: 'postponed', source: entry.source });
    return this.#planNext(entry, isOverruled, delayMs);
  }

  #record(entry: WatchEntry, visit: Visit & { readonly againMs?: number }, outcome: FinishedOutcome): VisitEnd {
    const { now, random, allowPrivate, onEvent } = this.#options;
    const { startedMs, isOverruled } = visit;
    const endedMs = now();
    const { health: before } = entry.source;
    const restFactor = this.#options.restAfter?.({ source: entry.source, outcome, startedMs, endedMs }) ?? 1;
    const facts = { startedMs, endedMs, isOverruled, random, allowPrivate, restFactor };
    const againMs = visit.againMs ?? (outcome.is === 'read' ? visit.hastenedMs : undefined);
    const result = checked(entry.source, outcome, { ...facts, ...(againMs !== undefined && { againMs }) });
    const { source, check, delayMs } = result;
    entry.source = source;
    entry.tookMs = check.tookMs;
    this.#writer.record(check);
    onEvent({ is: 'checked', source, before, outcome, check, newNotes: newNotesOf(before, outcome) });
    this.#planNext(entry, isOverruled, delayMs);
    return { is: 'checked' };
  }

  #planNext(entry: WatchEntry, isOverruled: boolean, delayMs: number): VisitEnd {
    const isWatched = this.#entries.get(entry.source.config.id) === entry && entry.source.paused === undefined;
    if (isWatched && !isOverruled) this.plan(entry.source, delayMs);
    return putOff(delayMs);
  }
}

function putOff(delayMs: number): VisitEnd {
  return { is: 'put-off', delayMs };
}

function newNotesOf({ notes: known = [] }: SourceHealth, outcome: FinishedOutcome): readonly string[] {
  return outcome.is === 'read' ? outcome.notes.filter((note) => !known.includes(note)) : [];
}
