import { type Due, DueQueue } from '../../schedule/due-queue.ts';
import type { Alarm } from '../../schedule/scheduler.ts';
import { SteadyClock } from '../../schedule/steady-clock.ts';
import { HostSlots, type SlotLimits, type SlotTask } from './host-slots.ts';

export interface TurnTask extends SlotTask {
  /** Its endpoint fails or is slow. */
  readonly isSlow: boolean;
}

interface DueTurn extends TurnTask, Due {}

export interface TurnOptions {
  readonly now: () => number;
  readonly alarm: Alarm;
  /** Never rejects. The task is not planned again by itself. */
  readonly run: (id: string) => Promise<void>;
  /** Separate slots for endpoints that answer at once and for those that do not: neither takes those of the other. */
  readonly quick?: SlotLimits;
  readonly slow?: SlotLimits;
}

const QUICK: SlotLimits = { most: 128, perHost: 16 };
const SLOW: SlotLimits = { most: 64, perHost: 4 };
/** A timer does not count while the machine sleeps, so the wall clock is checked this often. */
const LONGEST_ALARM_MS = 60_000;

/**
 * Runs tasks when they are due, one at a time per id.
 *
 * Tasks of failing or slow endpoints use separate slots. So however many endpoints hang, those that answer do not wait for them.
 */
export class DeliveryTurns {
  readonly #options: TurnOptions;
  readonly #clock: SteadyClock;
  readonly #queue = new DueQueue<DueTurn>();
  readonly #quick: HostSlots<DueTurn>;
  readonly #slow: HostSlots<DueTurn>;
  readonly #waiting = new Map<string, DueTurn>();
  readonly #running = new Map<string, Promise<void>>();
  /** Planned while it runs. */
  readonly #next = new Map<string, DueTurn>();
  #planned = 0;
  #armed: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #isStopped = false;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#clock = new SteadyClock(options.now);
    this.#quick = new HostSlots(options.quick ?? QUICK);
    this.#slow = new HostSlots(options.slow ?? SLOW);
  }

  /** Replaces what was planned for it before. */
  plan(task: TurnTask, delayMs: number): void {
    if (this.#isStopped) return;
    this.forget(task.id);
    this.#planned += 1;
    const due = { ...task, dueAtMs: this.#clock.now() + Math.max(0, delayMs), order: this.#planned };
    if (this.#running.has(task.id)) this.#next.set(task.id, due);
    else this.#queue.put(due);
    this.#arm();
  }

  /** Does not end a running task. */
  forget(id: string): void {
    this.#queue.remove(id);
    this.#next.delete(id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#slotsOf(waiting).leave(waiting);
  }

  /** Starts nothing new. Resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#armed?.cancel();
    this.#armed = undefined;
    await Promise.all(this.#running.values());
  }

  #arm(): void {
    const first = this.#queue.first;
    if (first === undefined || this.#isStopped) return;
    if (this.#armed !== undefined && this.#armed.atMs <= first.dueAtMs) return;
    this.#armed?.cancel();
    const delayMs = Math.min(Math.max(0, first.dueAtMs - this.#clock.now()), LONGEST_ALARM_MS);
    const atMs = this.#clock.now() + delayMs;
    const cancel = this.#options.alarm(delayMs, () => {
      this.#armed = undefined;
      this.#clock.atLeast(atMs);
      this.#startDue();
    });
    this.#armed = { atMs, cancel };
  }

  #startDue(): void {
    if (this.#isStopped) return;
    const nowMs = this.#clock.now();
    for (let due = this.#queue.first; due !== undefined && due.dueAtMs <= nowMs; due = this.#queue.first) {
      this.#queue.remove(due.id);
      this.#waiting.set(due.id, due);
      this.#slotsOf(due).join(due);
    }
    this.#fill();
    this.#arm();
  }

  #fill(): void {
    if (this.#isStopped) return;
    for (const slots of [this.#quick, this.#slow]) {
      for (let task = slots.take(); task !== undefined; task = slots.take()) this.#start(task);
    }
  }

  #start(task: DueTurn): void {
    this.#waiting.delete(task.id);
    const running = this.#options.run(task.id).then(() => {
      this.#running.delete(task.id);
      this.#slotsOf(task).release(task.host);
      const next = this.#next.get(task.id);
      this.#next.delete(task.id);
      if (next !== undefined && !this.#isStopped) this.#queue.put(next);
      this.#fill();
      this.#arm();
    });
    this.#running.set(task.id, running);
  }

  #slotsOf({ isSlow }: TurnTask): HostSlots<DueTurn> {
    return isSlow ? this.#slow : this.#quick;
  }
}
