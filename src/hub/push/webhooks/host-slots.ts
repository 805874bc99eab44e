import { Line } from '../../schedule/line.ts';

export interface SlotTask {
  readonly id: string;
  readonly host: string;
}

export interface SlotLimits {
  readonly most: number;
  readonly perHost: number;
}

/** Tasks that wait for their turn: limited in all and per host, with the hosts taking turns. */
export class HostSlots<T extends SlotTask> {
  readonly #limits: SlotLimits;
  readonly #waiting = new Map<string, Line<T>>();
  readonly #running = new Map<string, number>();
  /** Hosts that have a task that may begin. */
  readonly #ready = new Line<string>();
  #total = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  join(task: T): void {
    const line = this.#waiting.get(task.host) ?? new Line<T>();
    this.#waiting.set(task.host, line);
    line.join(task.id, task);
    this.#offer(task.host);
  }

  leave(task: T): void {
    const line = this.#waiting.get(task.host);
    if (line?.leave(task.id) === undefined || line.size > 0) return;
    this.#waiting.delete(task.host);
    this.#ready.leave(task.host);
  }

  /** The next task; it holds its slot until `release`. */
  take(): T | undefined {
    const host = this.#ready.first;
    if (host === undefined || this.#total >= this.#limits.most) return undefined;
    const line = this.#waiting.get(host);
    const task = line?.first;
    this.#ready.leave(host);
    if (line === undefined || task === undefined) return undefined;
    line.leave(task.id);
    if (line.size === 0) this.#waiting.delete(host);
    this.#total += 1;
    this.#running.set(host, (this.#running.get(host) ?? 0) + 1);
    this.#offer(host);
    return task;
  }

  release(host: string): void {
    this.#total -= 1;
    const left = (this.#running.get(host) ?? 1) - 1;
    if (left > 0) this.#running.set(host, left);
    else this.#running.delete(host);
    this.#offer(host);
  }

  #offer(host: string): void {
    const hasRoom = (this.#running.get(host) ?? 0) < this.#limits.perHost;
    if (hasRoom && this.#waiting.has(host)) this.#ready.join(host, host);
  }
}
