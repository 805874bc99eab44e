import { TidingsError } from '../errors/tidings-error.ts';
import type { HostMark, HostMemory, KeptMark, TurnAnswer, TurnClaim } from './host-memory.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';

export interface KeptHostMemoryOptions {
  /** The store for the next process. No other process uses it now. */
  readonly kept: HostMemory;
  /** Called once, when `kept` refuses a write. */
  readonly onRefused: (error: TidingsError) => void;
  readonly now: () => number;
  /** The usual pause between two fetches of a host. After a kill, every host is left alone for this time. */
  readonly gapMs: number;
}

/** Used instead of a host: while it is marked busy in the store, a process uses the store, or was killed while it did. */
const ANY_HOST = '*';

/**
 * A memory of one process that outlives it if possible: it answers from memory and writes down what it learns. What cannot be written, such as on a
 * full disk, still binds this process.
 *
 * Pauses and long turns are written at once. A turn that ends with the usual gap is written only on close: after a kill, all hosts are left alone for
 * that gap, so a fetch costs no write.
 */
export class KeptHostMemory implements HostMemory {
  readonly #known = new MemoryHostMemory();
  readonly #kept: HostMemory;
  readonly #now: () => number;
  readonly #gapMs: number;
  #onRefused: KeptHostMemoryOptions['onRefused'];
  /** No turn begins before this time. */
  #peaceUntilMs = 0;

  constructor({ kept, onRefused, now, gapMs }: KeptHostMemoryOptions) {
    this.#kept = kept;
    this.#onRefused = onRefused;
    this.#now = now;
    this.#gapMs = gapMs;
  }

  /** Starts to use the store, after everything is recalled. */
  async open(): Promise<void> {
    await this.keep(() => this.#kept.extend('busy', ANY_HOST, Number.MAX_SAFE_INTEGER));
  }

  /** Takes over what an earlier process has left, without writing it again. Turns that it held end with a pause. */
  async recall({ mark, host, untilMs }: KeptMark): Promise<void> {
    if (mark !== 'busy') return await this.#known.extend(mark, host, untilMs);
    const nowMs = this.#now();
    if (untilMs <= nowMs) return;
    if (host === ANY_HOST) this.#peaceUntilMs = nowMs + this.#gapMs;
    else await this.#known.extend('turn', host, nowMs + this.#gapMs);
  }

  /** Runs a write that only the next process would miss. */
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
    const isPeace = claim.nowMs < this.#peaceUntilMs && this.#peaceUntilMs <= claim.nowMs + this.#gapMs;
    if (isPeace) return { busyUntilMs: 0, turnAtMs: this.#peaceUntilMs };
    return await this.#known.claimTurn(host, claim);
  }

  async endTurn(host: string, turnAtMs: number): Promise<void> {
    await this.#known.endTurn(host, turnAtMs);
    if (turnAtMs - this.#now() > this.#gapMs) await this.keep(() => this.#kept.endTurn(host, turnAtMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.keep(() => this.#writeTurns());
    await this.#kept[Symbol.asyncDispose]();
  }

  async #writeTurns(): Promise<void> {
    for (const mark of ['turn', 'busy'] as const) {
      for (const { host, untilMs } of await this.#known.marked(mark)) {
        if (untilMs > this.#now()) await this.#kept.extend(mark, host, untilMs);
      }
    }
    await this.#kept.forget('busy', ANY_HOST);
  }
}
