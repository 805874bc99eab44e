import { LogFullError, LogUnavailableError } from '../../errors/log-error.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { CheckRecord, HubStore, SourceHealth } from '../store/hub-store.ts';
import type { WatchEvent } from './watch-event.ts';

export interface WatchWriterOptions {
  readonly store: Pick<HubStore, 'recordChecks' | 'putFact'>;
  readonly alarm: Alarm;
  readonly onEvent: (event: WatchEvent) => void;
  /** As it is now; undefined when the source is gone. */
  readonly healthOf: (source: string) => SourceHealth | undefined;
}

type Write = () => Promise<void>;

/** Checks that found nothing wait for others: many of them cost no more than one. */
const QUIET_LATEST_MS = 1000;
const LATEST_MS = 250;
const BATCH = 200;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** Written where nothing else waits, to learn whether the store can be written again. */
const PROBE_FACT = 'watch.probe';

/** Whether the store refuses to be written for now: its disk is full, read-only or failing. */
export function isUnwritable(error: unknown): error is LogFullError | LogUnavailableError {
  return error instanceof LogFullError || error instanceof LogUnavailableError;
}

/**
 * Writes finished checks down, many in one step, and knows whether the store can be written.
 *
 * A check is at most 250 ms late, one that found nothing a second. While the store refuses, the newest check of each source is kept at least, and tried again by itself.
 * A check is written with the health that its source has at that moment, so that no older one comes after a newer.
 */
export class WatchWriter {
  readonly #options: WatchWriterOptions;
  #waiting: CheckRecord[] = [];
  #writes: Write[] = [];
  #flushing: Promise<void> | undefined;
  #cancelAlarm: (() => void) | undefined;
  #isHurried = false;
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
    if (this.#unwritable !== undefined) return;
    if (this.#waiting.length >= BATCH) void this.flush();
    else if (isQuiet(check)) this.#arm(QUIET_LATEST_MS);
    else this.#hurry();
  }

  /** The source is gone, and its checks with it. */
  drop(source: string): void {
    this.#waiting = this.#waiting.filter((check) => check.source !== source);
  }

  /** Writes in this order, before any check; those that the store refuses wait with the checks. */
  async writeAll(writes: readonly Write[]): Promise<void> {
    this.#writes.push(...writes);
    await this.flush();
  }

  /** For who must know whether it was written: throws what the store throws. */
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

  /** A write failed elsewhere. It is tried from now on until one works. */
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

  /** Tries once more, and never again. */
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

  /** Once: what comes again and again must not put it off. */
  #hurry(): void {
    if (this.#isHurried) return;
    this.#disarm();
    this.#arm(LATEST_MS);
    this.#isHurried = true;
  }

  #arm(ms: number): void {
    if (this.#isClosed || this.#cancelAlarm !== undefined) return;
    this.#cancelAlarm = this.#options.alarm(ms, () => {
      this.#cancelAlarm = undefined;
      void this.flush();
    });
  }

  #disarm(): void {
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    this.#isHurried = false;
  }
}

function isQuiet({ outcome, changes }: CheckRecord): boolean {
  return outcome !== 'error' && changes === 0;
}

function newestOfEach(checks: readonly CheckRecord[]): CheckRecord[] {
  return [...new Map(checks.map((check) => [check.source, check])).values()];
}
