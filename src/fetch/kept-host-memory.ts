import { TidingsError } from '../errors/tidings-error.ts';
import type { HostMark, HostMemory, KeptMark, TurnAnswer, TurnClaim } from './host-memory.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';

export interface KeptHostMemoryOptions {
  /** Where it is written down for the next process. Nobody else uses it now. */
  readonly kept: HostMemory;
  /** Called once, when `kept` refuses a write. */
  readonly onRefused: (error: TidingsError) => void;
}

/**
 * A memory of one process that outlives it where that is possible: it answers by itself and writes down what it learns. What cannot be
 * written, such as on a full disk, binds this process all the same.
 */
export class KeptHostMemory implements HostMemory {
  readonly #known = new MemoryHostMemory();
  readonly #kept: HostMemory;
  #onRefused: KeptHostMemoryOptions['onRefused'];

  constructor({ kept, onRefused }: KeptHostMemoryOptions) {
    this.#kept = kept;
    this.#onRefused = onRefused;
  }

  /** What an earlier process has left; it is not written again. */
  async recall(mark: HostMark, host: string, untilMs: number): Promise<void> {
    await this.#known.extend(mark, host, untilMs);
  }

  /** Runs a write that only the next process misses. */
  async keep(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      this.#onRefused(error);
      this.#onRefused = () => {};
    }
  }

  until(mark: HostMark, host: string): Promise<number> {
    return this.#known.until(mark, host);
  }

  async extend(mark: HostMark, host: string, untilMs: number): Promise<void> {
    await this.#known.extend(mark, host, untilMs);
    await this.keep(() => this.#kept.extend(mark, host, untilMs));
  }

  async forget(mark: HostMark, host: string): Promise<void> {
    await this.#known.forget(mark, host);
    await this.keep(() => this.#kept.forget(mark, host));
  }

  marked(mark: HostMark): Promise<readonly KeptMark[]> {
    return this.#known.marked(mark);
  }

  async claimTurn(host: string, claim: TurnClaim): Promise<TurnAnswer> {
    const answer = await this.#known.claimTurn(host, claim);
    const isOurs = answer.busyUntilMs === 0 && answer.turnAtMs === 0;
    if (isOurs) await this.keep(() => this.#kept.extend('busy', host, claim.busyUntilMs));
    return answer;
  }

  async endTurn(host: string, turnAtMs: number): Promise<void> {
    await this.#known.endTurn(host, turnAtMs);
    await this.keep(() => this.#kept.endTurn(host, turnAtMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept[Symbol.asyncDispose]();
  }
}
