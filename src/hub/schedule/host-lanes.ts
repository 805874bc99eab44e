import { Line } from './line.ts';

export interface LaneTask {
  readonly id: string;
  readonly host: string;
  /** It may take hours: a whole site. */
  readonly isLong: boolean;
}

interface Lane<T> {
  readonly host: string;
  readonly waiting: Line<T>;
  isBusy: boolean;
}

/**
 * Tasks that are due, with a lane per host: one task of a host at a time, and the hosts take turns.
 *
 * Long tasks wait in a separate line, so that they can be held back while short ones continue.
 */
export class HostLanes<T extends LaneTask> {
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #short = new Line<Lane<T>>();
  readonly #long = new Line<Lane<T>>();
  #wasLong = false;

  /** A task that is already waiting keeps its place. */
  join(task: T): void {
    const lane = this.#lanes.get(task.host) ?? { host: task.host, waiting: new Line<T>(), isBusy: false };
    this.#lanes.set(task.host, lane);
    lane.waiting.join(task.id, task);
    this.#offer(lane);
  }

  leave(task: T): void {
    const lane = this.#lanes.get(task.host);
    if (lane === undefined) return;
    const wasFirst = lane.waiting.first?.id === task.id;
    lane.waiting.leave(task.id);
    if (!wasFirst) return;
    this.#withdraw(lane);
    this.#offer(lane);
  }

  /** The next task; its host is busy until `release`. */
  take(room: { readonly forLong: boolean }): T | undefined {
    const lane = this.#next(room.forLong);
    const task = lane?.waiting.first;
    if (lane === undefined || task === undefined) return undefined;
    this.#withdraw(lane);
    lane.waiting.leave(task.id);
    lane.isBusy = true;
    this.#wasLong = task.isLong;
    return task;
  }

  release(host: string): void {
    const lane = this.#lanes.get(host);
    if (lane === undefined) return;
    lane.isBusy = false;
    this.#offer(lane);
  }

  /** Long and short tasks alternate while there are both. */
  #next(mayBeLong: boolean): Lane<T> | undefined {
    const long = mayBeLong ? this.#long.first : undefined;
    return this.#wasLong ? (this.#short.first ?? long) : (long ?? this.#short.first);
  }

  /** Lets the lane take turns if it has a task that can begin; forgets the lane if it is empty. */
  #offer(lane: Lane<T>): void {
    const task = lane.waiting.first;
    if (lane.isBusy) return;
    if (task === undefined) this.#lanes.delete(lane.host);
    else (task.isLong ? this.#long : this.#short).join(lane.host, lane);
  }

  #withdraw(lane: Lane<T>): void {
    this.#short.leave(lane.host);
    this.#long.leave(lane.host);
  }
}
