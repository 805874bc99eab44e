import {
  answerClaim,
  type HostMark,
  type HostMemory,
  type KeptMark,
  type TurnAnswer,
  type TurnClaim,
} from './host-memory.ts';

/** From this number on, expired marks are removed. */
const MANY_MARKS = 10_000;

/** A memory for the lifetime of one process. */
export class MemoryHostMemory implements HostMemory {
  /** By host, for each mark: pauses are listed often, and are few compared with the turns. */
  readonly #marks: Readonly<Record<HostMark, Map<string, number>>> = {
    busy: new Map(),
    turn: new Map(),
    pause: new Map(),
    https: new Map(),
  };
  #sweepAt = MANY_MARKS;

  /** The number of marks, including expired ones. */
  get size(): number {
    return Object.values(this.#marks).reduce((sum, hosts) => sum + hosts.size, 0);
  }

  async until(mark: HostMark, host: string): Promise<number> {
    return this.#read(mark, host);
  }

  async extend(mark: HostMark, host: string, untilMs: number): Promise<void> {
    this.#marks[mark].set(host, Math.max(this.#read(mark, host), untilMs));
  }

  async forget(mark: HostMark, host: string): Promise<void> {
    this.#marks[mark].delete(host);
  }

  async marked(mark: HostMark): Promise<readonly KeptMark[]> {
    return Array.from(this.#marks[mark], ([host, untilMs]) => ({ mark, host, untilMs }));
  }

  async claimTurn(host: string, { nowMs, busyUntilMs }: TurnClaim): Promise<TurnAnswer> {
    if (this.#marks.turn.size >= this.#sweepAt) this.#sweep(nowMs);
    const answer = answerClaim(this.#read('busy', host), this.#read('turn', host), nowMs);
    if (answer.busyUntilMs === 0 && answer.turnAtMs === 0) this.#marks.busy.set(host, busyUntilMs);
    return answer;
  }

  async endTurn(host: string, turnAtMs: number): Promise<void> {
    this.#marks.busy.delete(host);
    this.#marks.turn.set(host, turnAtMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** An expired mark means the same as an absent one. */
  #sweep(nowMs: number): void {
    for (const hosts of Object.values(this.#marks)) {
      for (const [host, untilMs] of hosts) if (untilMs <= nowMs) hosts.delete(host);
    }
    this.#sweepAt = Math.max(MANY_MARKS, 2 * this.#marks.turn.size);
  }

  #read(mark: HostMark, host: string): number {
    return this.#marks[mark].get(host) ?? 0;
  }
}
