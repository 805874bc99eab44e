import type { SourceConfig } from '../../src/hub/config/source-config.ts';
import type { CheckRecord, SourceCheck, WatchedSource } from '../../src/hub/store/hub-store.ts';
import type { VisitOutcome } from '../../src/hub/store/visit-outcome.ts';
import { type RunningWatch, startWatch, type WatchOptions } from '../../src/hub/watch/watch.ts';
import type { WatchEvent } from '../../src/hub/watch/watch-event.ts';
import { FakeTime } from './fake-time.ts';

export const NOON = Date.parse('2026-03-01T12:00:00Z');

/** The store of a watch, in memory. While `refusal` is set, every write fails with it. */
export class MemoryWatchStore {
  readonly stored = new Map<string, WatchedSource>();
  readonly checks: CheckRecord[] = [];
  readonly facts = new Map<string, string>();
  /** The sizes of the batches of checks. */
  readonly batches: number[] = [];
  readonly writes: string[] = [];
  refusal: Error | undefined;
  /** The number of attempted writes. */
  tries = 0;

  constructor(sources: readonly WatchedSource[] = []) {
    for (const source of sources) this.stored.set(source.config.id, source);
  }

  async sources(): Promise<readonly WatchedSource[]> {
    return [...this.stored.values()];
  }

  async putSources(sources: readonly WatchedSource[]): Promise<void> {
    await this.#write(`put ${sources.map(({ config }) => config.id).join(' ')}`);
    for (const source of sources) this.stored.set(source.config.id, source);
  }

  async removeSource(id: string): Promise<void> {
    await this.#write(`remove ${id}`);
    this.stored.delete(id);
  }

  async recordChecks(checks: readonly SourceCheck[]): Promise<void> {
    await this.#write(`check ${checks.map(({ check }) => check.source).join(' ')}`);
    this.batches.push(checks.length);
    for (const { check, health } of checks) {
      const source = this.stored.get(check.source);
      if (source === undefined) continue;
      const { allowDeletes, ...rest } = source;
      this.stored.set(check.source, {
        ...rest,
        ...(allowDeletes && check.outcome === 'error' && { allowDeletes }),
        health,
      });
      this.checks.push(check);
    }
  }

  async checksOf(source: string, limit: number): Promise<readonly CheckRecord[]> {
    const own = this.checks.filter((check) => check.source === source);
    return own.reverse().slice(0, limit);
  }

  async putFact(name: string, value: string): Promise<void> {
    await this.#write(`fact ${name}`);
    this.facts.set(name, value);
  }

  async #write(what: string): Promise<void> {
    this.tries += 1;
    await Promise.resolve();
    if (this.refusal !== undefined) throw this.refusal;
    this.writes.push(what);
  }
}

export interface RunningVisit {
  readonly source: WatchedSource;
  readonly signal: AbortSignal;
  readonly end: (outcome: VisitOutcome) => void;
  readonly fail: (error: unknown) => void;
}

export const NOTHING_NEW: VisitOutcome = { is: 'read', changes: 0, notes: [] };
export const ABANDONED: VisitOutcome = { is: 'abandoned', changes: 0 };

/** A watch in fake time. Visits call `answer`, or stay open until the test ends them. */
export class WatchLab {
  readonly time = new FakeTime(NOON);
  readonly store: MemoryWatchStore;
  readonly events: WatchEvent[] = [];
  readonly visited: { readonly id: string; readonly atMs: number }[] = [];
  readonly open: RunningVisit[] = [];
  answer: ((source: WatchedSource) => VisitOutcome | Error | undefined) | undefined = () => NOTHING_NEW;

  constructor(stored: readonly WatchedSource[] = []) {
    this.store = new MemoryWatchStore(stored);
  }

  start(configured: readonly SourceConfig[], options: Partial<WatchOptions> = {}): Promise<RunningWatch> {
    return startWatch({
      store: this.store,
      configured,
      visit: (source, signal) => this.#visit(source, signal),
      test: async () => NOTHING_NEW,
      now: this.time.now,
      alarm: this.time.alarm,
      random: () => 0.5,
      concurrency: 16,
      allowPrivate: false,
      onEvent: (event) => this.events.push(event),
      ...options,
    });
  }

  /** The kinds of the events, except for checks. */
  said(): string[] {
    return this.events.flatMap((event) => (event.is === 'checked' ? [] : [event.is]));
  }

  ids(): string[] {
    return this.visited.map(({ id }) => id);
  }

  #visit(source: WatchedSource, signal: AbortSignal): Promise<VisitOutcome> {
    this.visited.push({ id: source.config.id, atMs: this.time.now() - NOON });
    return new Promise((end, fail) => {
      const answer = this.answer?.(source);
      if (answer === undefined) this.open.push({ source, signal, end, fail });
      else if (answer instanceof Error) fail(answer);
      else end(answer);
    });
  }
}
