import { LogFullError, LogUnavailableError } from '../../errors/log-error.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { CheckRecord, HubStore, SourceHealth } from '../store/hub-store.ts';
import type { WatchEvent } from './watch-event.ts';

export interface WatchWriterOptions {
  readonly store: Pick<HubStore, 'recordChecks' | 'putFact'>;
  readonly alarm: Alarm;
  readonly onEvent: (event: WatchEvent) => void;
  /** Checks that found nothing are written as soon as others, because the next process waits for them. */
  readonly isPrompt?: boolean | undefined;
  /** The current health; undefined if the source is gone. */
  readonly healthOf: (source: string) => SourceHealth | undefined;
}

type Write = () => Promise<void>;

/** How long a check waits for others at most: writing many costs no more than writing one. */
const LATEST_MS = 250;
const QUIET_LATEST_MS = 1000;
/**
 * A quiet check after a quiet one of the same source waits for two more, or until it would count as overdue (ten minutes): a crash forgets only that nothing
 * was found, and costs at most one early look.
 */
const PATIENT_INTERVALS = 2.5;
const LEAST_PATIENT_MS = 570_000;
/** After this time at most, quiet checks are stored. For slower rhythms this costs a write of 4 KB at most ten times a day. */
const LONGEST_PATIENT_MS = 6 * 3600_000;
const BATCH = 200;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** Written if nothing else waits, to learn whether the store can be written again. */
const PROBE_FACT = 'watch.probe';

/** Whether the store refuses writes for now: its disk is full, read-only or failing. */
export function isUnwritable(error: unknown): error is LogFullError | LogUnavailableError {
  return error instanceof LogFullError || error instanceof LogUnavailableError;
}

/**
 * Stores finished checks, many in one step, and knows whether the store can be written.
 *
 * A check is stored after 250 ms at most, one that found nothing after a second, and another one that found nothing after 9.5 minutes or two and a half
 * intervals of its source, but six hours at most. While the store refuses, at least the newest check of each source is kept and retried. A check is stored
 * with the health that its source has at that moment, so that no older health follows a newer one.
 */
export class WatchWriter {
  readonly #options: WatchWriterOptions;
  #waiting: CheckRecord[] = [];
  #writes: Write[] = [];
  #flushing: Promise<void> | undefined;
  #cancelAlarm: (() => void) | undefined;
  /** How long the alarm was set to. */
  #alarmMs = Number.POSITIVE_INFINITY;
  /** Sources whose last check found nothing. */
  readonly #quiet = new Set<string>();
  #retryMs = FIRST_RETRY_MS;
  #unwritable: string | undefined;
  #isClosed = false;

  constructor(options: WatchWriterOptions) {
    this.#options = options;
  }

  get unwritable(): string | undefined {
    return this.#unwritable;
  }

  record(check: CheckRecord): void {
    this.#waiting.push(check);
    const latestMs = this.#latestMs(check);
    if (this.#unwritable !== undefined) return;
    if (this.#waiting.length >= BATCH) void this.flush();
    else this.#armFor(latestMs);
  }

  #latestMs(check: CheckRecord): number {
    const { source } = check;
    const wasQuiet = this.#quiet.has(source);
    if (this.#options.isPrompt || !isQuiet(check)) {
      this.#quiet.delete(source);
      return LATEST_MS;
    }
    this.#quiet.add(source);
    const { intervalMs = Number.POSITIVE_INFINITY } = this.#options.healthOf(source) ?? {};
    const patientMs = Math.max(LEAST_PATIENT_MS, PATIENT_INTERVALS * intervalMs);
    return wasQuiet && patientMs <= LONGEST_PATIENT_MS ? patientMs : QUIET_LATEST_MS;
  }

  /** Its checks that are not written yet, newest first. */
  waitingOf(source: string): readonly CheckRecord[] {
    return this.#waiting.filter((check) => check.source === source).reverse();
  }

  /** The source is gone, and so are its checks. */
  drop(source: string): void {
    this.#waiting = this.#waiting.filter((check) => check.source !== source);
    this.#quiet.delete(source);
  }

  /** Writes in this order, before any check; refused writes wait with the checks. */
  async writeAll(writes: readonly Write[]): Promise<void> {
    this.#writes.push(...writes);
    await this.flush();
  }

  /** For callers that must know whether it was written: throws what the store throws. */
  async writeNow<T>(write: () => Promise<T>): Promise<T> {
    try {
      const value = await write();
      this.#sayWritable();
      return value;
    } catch (error) {
      if (isUnwritable(error)) this.refused(error);
      throw error;
    }
  }

  /** A write failed elsewhere. Writes are retried from now on until one works. */
  refused(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#unwritable === undefined) this.#options.onEvent({ is: 'unwritable', reason });
    this.#unwritable = reason;
    this.#arm(this.#retryMs);
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
      if (this.#waiting.length > 0 && this.#unwritable === undefined) this.#arm(LATEST_MS);
    });
    return this.#flushing;
  }

  /** Tries a last time. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.flush();
    this.#isClosed = true;
    this.#disarm();
  }

  async #flush(): Promise<void> {
    this.#disarm();
    try {
      await this.#writeWaiting();
      this.#sayWritable();
    } catch (error) {
      if (!isUnwritable(error)) this.#options.onEvent({ is: 'bug', error });
      this.#waiting = newestOfEach(this.#waiting);
      this.refused(error);
      this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    }
  }

  async #writeWaiting(): Promise<void> {
    const { store } = this.#options;
    const isProbe = this.#unwritable !== undefined && this.#writes.length + this.#waiting.length === 0;
    if (isProbe) await store.putFact(PROBE_FACT, '');
    await this.#writeFirst();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      await store.recordChecks(batch.flatMap((check) => this.#withHealth(check)));
      const written = new Set(batch);
      this.#waiting = this.#waiting.filter((check) => !written.has(check));
    }
  }

  async #writeFirst(): Promise<void> {
    let done = 0;
    try {
      for (const write of this.#writes) {
        await write();
        done += 1;
      }
    } finally {
      this.#writes = this.#writes.slice(done);
    }
  }

  #withHealth(check: CheckRecord) {
    const health = this.#options.healthOf(check.source);
    return health === undefined ? [] : [{ check, health }];
  }

  #sayWritable(): void {
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#unwritable === undefined) return;
    this.#unwritable = undefined;
    this.#options.onEvent({ is: 'writable-again' });
  }

  /** Moves the alarm forward if needed. Repeated checks do not delay it. */
  #armFor(latestMs: number): void {
    if (latestMs < this.#alarmMs) this.#disarm();
    this.#arm(latestMs);
  }

  #arm(ms: number): void {
    if (this.#isClosed || this.#cancelAlarm !== undefined) return;
    this.#alarmMs = ms;
    this.#cancelAlarm = this.#options.alarm(ms, () => {
      this.#cancelAlarm = undefined;
      this.#alarmMs = Number.POSITIVE_INFINITY;
      void this.flush();
    });
  }

  #disarm(): void {
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    this.#alarmMs = Number.POSITIVE_INFINITY;
  }
}

function isQuiet({ outcome, changes }: CheckRecord): boolean {
  return outcome !== 'error' && changes === 0;
}

function newestOfEach(checks: readonly CheckRecord[]): CheckRecord[] {
  return [...new Map(checks.map((check) => [check.source, check])).values()];
}
