import { type Due, DueQueue } from './due-queue.ts';
import { HostLanes, type LaneTask } from './host-lanes.ts';
import { SteadyClock } from './steady-clock.ts';
import type { VisitPlan } from './visit-plan.ts';

/** Calls back once after `ms`, unless the returned function cancels it. */
export type Alarm = (ms: number, callback: () => void) => () => void;

/** A task with its due time, on the scheduler's own clock. */
export interface DueTask extends LaneTask, Due {}

export interface SchedulerOptions {
  readonly concurrency: number;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** Never rejects. The task is not planned again by itself. */
  readonly run: (id: string) => Promise<unknown>;
  /** At most once a minute. */
  readonly onLate: (lagMs: number) => void;
  readonly queue?: DueQueue<DueTask>;
}

/** A timer does not count while the machine sleeps, so the wall clock is checked this often. */
const LONGEST_ALARM_MS = 60_000;
const LATE_MS = 60_000;
/** After a sleep of the machine all tasks may be due: other work gets its turn after this many. */
const QUEUED_AT_ONCE = 500;
/** The share of the slots that long tasks may hold. */
const LONG_SHARE = 0.75;

/**
 * Runs tasks when they are due: at most `concurrency` at the same time, one per host, with the hosts taking turns.
 *
 * One alarm is set, for the next due time. A step costs O(log n) of all planned tasks for each due task, and takes at most 500 of these. Times are delays on a
 * {@link SteadyClock}: a wall clock that steps back delays nothing, and after a jump ahead everything that is due runs once, within the limits.
 */
export class Scheduler implements VisitPlan {
  readonly #options: SchedulerOptions;
  readonly #clock: SteadyClock;
  readonly #queue: DueQueue<DueTask>;
  readonly #lanes = new HostLanes<DueTask>();
  /** Tasks that are due and wait for their turn. */
  readonly #waiting = new Map<string, DueTask>();
  readonly #maxLong: number;
  #planned = 0;
  #running = 0;
  #runningLong = 0;
  #armed: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #saidLateMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #onIdle: (() => void) | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#clock = new SteadyClock(options.now);
    this.#queue = options.queue ?? new DueQueue();
    this.#maxLong = Math.ceil(options.concurrency * LONG_SHARE);
  }

  /** Replaces what was planned for it before. A running task can be planned again; it never runs twice at a time. */
  plan(task: LaneTask, delayMs: number): void {
    this.forget(task.id);
    const { id, host, isLong } = task;
    this.#planned += 1;
    this.#queue.put({ id, host, isLong, dueAtMs: this.#clock.now() + Math.max(0, delayMs), order: this.#planned });
    this.#arm();
  }

  hasten(task: LaneTask, delayMs: number): void {
    this.plan(task, delayMs);
  }

  /** Does not end a running task. */
  forget(id: string): void {
    this.#queue.remove(id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#lanes.leave(waiting);
  }

  /** Starts nothing new. Resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#armed?.cancel();
    this.#armed = undefined;
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #ring(atMs: number): void {
    this.#armed = undefined;
    this.#clock.atLeast(atMs);
    this.#step();
  }

  #step(): void {
    if (this.#isStopped) return;
    this.#queueDue();
    this.#startWaiting();
    this.#arm();
  }

  #queueDue(): void {
    const nowMs = this.#clock.now();
    for (let queued = 0; queued < QUEUED_AT_ONCE; queued += 1) {
      const task = this.#queue.first;
      if (task === undefined || task.dueAtMs > nowMs) return;
      this.#queue.remove(task.id);
      this.#waiting.set(task.id, task);
      this.#lanes.join(task);
    }
  }

  #startWaiting(): void {
    while (this.#running < this.#options.concurrency) {
      const task = this.#lanes.take({ forLong: this.#runningLong < this.#maxLong });
      if (task === undefined) return;
      this.#waiting.delete(task.id);
      this.#sayIfLate(task);
      void this.#run(task);
    }
  }

  async #run(task: DueTask): Promise<void> {
    this.#running += 1;
    if (task.isLong) this.#runningLong += 1;
    await this.#options.run(task.id);
    this.#running -= 1;
    if (task.isLong) this.#runningLong -= 1;
    this.#lanes.release(task.host);
    if (this.#running === 0) this.#onIdle?.();
    this.#step();
  }

  #arm(): void {
    const first = this.#queue.first;
    if (this.#isStopped || first === undefined) return;
    const nowMs = this.#clock.now();
    const atMs = Math.min(first.dueAtMs, nowMs + LONGEST_ALARM_MS);
    if (this.#armed !== undefined && this.#armed.atMs <= atMs) return;
    this.#armed?.cancel();
    this.#armed = { atMs, cancel: this.#options.alarm(atMs - nowMs, () => this.#ring(atMs)) };
  }

  #sayIfLate(task: DueTask): void {
    const nowMs = this.#clock.now();
    const lagMs = nowMs - task.dueAtMs;
    if (lagMs < LATE_MS || nowMs - this.#saidLateMs < LATE_MS) return;
    this.#saidLateMs = nowMs;
    this.#options.onLate(lagMs);
  }
}
