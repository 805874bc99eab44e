import {
  answerClaim,
  type HostMark,
  type HostMemory,
  type KeptMark,
  type TurnAnswer,
  type TurnClaim,
} from './host-memory.ts';

/** So many marks are worth a look at which of them are over. */
const MANY_MARKS = 10_000;

/** For one process and its life. */
export class MemoryHostMemory implements HostMemory {
  readonly #marks: Map<string, number>;
  #sweepAt = MANY_MARKS;

  constructor(marks = new Map<string, number>()) {
    this.#marks = marks;
  }

  async until(mark: HostMark, host: string): Promise<number> {
    return this.#read(mark, host);
  }

  async extend(mark: HostMark, host: string, untilMs: number): Promise<void> {
    this.#marks.set(`${mark} ${host}`, Math.max(this.#read(mark, host), untilMs));
  }

  async forget(mark: HostMark, host: string): Promise<void> {
    this.#marks.delete(`${mark} ${host}`);
  }

  async marked(mark: HostMark): Promise<readonly KeptMark[]> {
    const start = `${mark} `;
    const found: KeptMark[] = [];
    for (const [key, untilMs] of this.#marks) {
      if (key.startsWith(start)) found.push({ mark, host: key.slice(start.length), untilMs });
    }
    return found;
  }

  async claimTurn(host: string, { nowMs, busyUntilMs }: TurnClaim): Promise<TurnAnswer> {
    if (this.#marks.size >= this.#sweepAt) this.#sweep(nowMs);
    const answer = answerClaim(this.#read('busy', host), this.#read('turn', host), nowMs);
    if (answer.busyUntilMs === 0 && answer.turnAtMs === 0) this.#marks.set(`busy ${host}`, busyUntilMs);
    return answer;
  }

  async endTurn(host: string, turnAtMs: number): Promise<void> {
    this.#marks.delete(`busy ${host}`);
    this.#marks.set(`turn ${host}`, turnAtMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Whether a mark is over or absent is the same. */
  #sweep(nowMs: number): void {
    for (const [key, untilMs] of this.#marks) if (untilMs <= nowMs) this.#marks.delete(key);
    this.#sweepAt = Math.max(MANY_MARKS, 2 * this.#marks.size);
  }

  #read(mark: HostMark, host: string): number {
    return this.#marks.get(`${mark} ${host}`) ?? 0;
  }
}
