import { HostBusyError, HostPausedError } from '../errors/crawl-error.ts';
import { FetchAbortedError } from '../errors/fetch-error.ts';
import { abortable } from './abortable.ts';
import { HostLine, type LinePlace } from './host-line.ts';
import type { HostMemory } from './host-memory.ts';

export interface HostTurnsOptions {
  readonly memory: HostMemory;
  readonly now: () => number;
  /** Resolves after this time, or at once if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface TurnRequest {
  /** The pause after this fetch. */
  readonly gapMs: number;
  /** A longer wait is a {@link HostPausedError}, and no turn is taken. */
  readonly maxWaitMs: number;
  /** Until when the host wants no requests from this asker; 0 if it does not ask for a pause. */
  readonly pausedUntil?: () => Promise<number>;
  readonly signal: AbortSignal;
  /** All others go first: `maxWaitMs` also limits the wait in the queue, and after it a {@link HostBusyError} is thrown. */
  readonly yields?: boolean;
}

/** The right to ask a host, until it is given back. */
export interface Turn {
  /** Aborted when the turn is wanted back, which only happens to callers that yield. */
  readonly wanted: AbortSignal;
  /** The fetch is over: the pause starts now. Further calls do nothing. */
  end(): Promise<void>;
}

export interface HostTurns {
  take(url: URL, request: TurnRequest): Promise<Turn>;
}

/** A turn that is not given back by then is free again. */
const LEASE_MS = 30_000;
/** How often the turn is requested again while somebody else has it. */
const LOOK_AGAIN_MS = 100;

/**
 * One fetch at a time per host, whatever its scheme and port, each a pause after the end of the previous one (T-AWI-18). The memory decides, so this
 * holds for everything that shares one: other calls, other processes, the next run.
 */
export function createHostTurns(options: HostTurnsOptions): HostTurns {
  return new LinedTurns(options);
}

interface Patience extends TurnRequest {
  /** For callers that yield: when to stop waiting in the queue. */
  readonly giveUpAt: number;
}

class LinedTurns implements HostTurns {
  readonly #options: HostTurnsOptions;
  readonly #lines = new Map<string, HostLine>();

  constructor(options: HostTurnsOptions) {
    this.#options = options;
  }

  async take(url: URL, request: TurnRequest): Promise<Turn> {
    const patient: Patience = { ...request, giveUpAt: this.#options.now() + request.maxWaitMs };
    for (;;) {
      const place = this.#join(url.hostname, request.yields ?? false);
      try {
        await this.#waitInLine(place, url, patient);
        if (await this.#claim(place, url, patient)) return this.#turnOf(place, url.hostname, request.gapMs);
      } catch (error) {
        place.leave();
        throw error;
      }
      place.leave();
    }
  }

  #join(hostname: string, yields: boolean): LinePlace {
    const line = this.#lines.get(hostname) ?? new HostLine();
    this.#lines.set(hostname, line);
    const place = line.join(yields);
    const leave = () => {
      place.leave();
      if (line.isEmpty && this.#lines.get(hostname) === line) this.#lines.delete(hostname);
    };
    return { ...place, leave };
  }

  /** A caller that yields waits for a limited time; the others wait for those who came before. */
  async #waitInLine({ first }: LinePlace, url: URL, { yields = false, signal, giveUpAt }: Patience): Promise<void> {
    if (!yields) return await abortable(first, url, signal);
    const { now, wait } = this.#options;
    const over = new AbortController();
    const isFirst = first.then(() => true);
    const leftMs = Math.max(0, giveUpAt - now());
    try {
      const tooLong = wait(leftMs, AbortSignal.any([signal, over.signal])).then(() => false);
      if (!(await abortable(Promise.race([isFirst, tooLong]), url, signal))) throw new HostBusyError(url);
    } finally {
      over.abort();
    }
  }

  /** False if the place gave way. */
  async #claim({ wanted }: LinePlace, url: URL, request: Patience): Promise<boolean> {
    const { now, memory } = this.#options;
    const { signal, yields = false } = request;
    const giveUpAt = yields ? request.giveUpAt : now() + request.maxWaitMs;
    const over = yields ? AbortSignal.any([signal, wanted]) : signal;
    for (let next = await this.#ask(url, request); next > 0; next = await this.#ask(url, request)) {
      if (next > giveUpAt) throw new HostPausedError(url, next - now());
      await this.#waitUntil(next, url, { signal, over });
      if (wanted.aborted) return false;
    }
    if (!wanted.aborted) return true;
    // No request was sent, so no pause is needed.
    await memory.endTurn(url.hostname, now());
    return false;
  }

  /** When to try again; 0 if we have the turn. */
  async #ask(url: URL, { pausedUntil }: TurnRequest): Promise<number> {
    const { now, memory } = this.#options;
    const nowMs = now();
    const pauseEnd = (await pausedUntil?.()) ?? 0;
    if (pauseEnd > nowMs) return pauseEnd;
    const { busyUntilMs, turnAtMs } = await memory.claimTurn(url.hostname, { nowMs, busyUntilMs: nowMs + LEASE_MS });
    return busyUntilMs > 0 ? nowMs + LOOK_AGAIN_MS : turnAtMs;
  }

  async #waitUntil(
    moment: number,
    url: URL,
    { signal, over }: { readonly signal: AbortSignal; readonly over: AbortSignal },
  ): Promise<void> {
    const { now, wait } = this.#options;
    while (now() < moment && !over.aborted) await wait(moment - now(), over);
    if (signal.aborted) throw new FetchAbortedError(url, signal.reason);
  }

  #turnOf({ wanted, leave }: LinePlace, hostname: string, gapMs: number): Turn {
    const { now, memory } = this.#options;
    let isOurs = true;
    return {
      wanted,
      async end() {
        if (!isOurs) return;
        isOurs = false;
        try {
          await memory.endTurn(hostname, now() + gapMs);
        } finally {
          // Also if the memory is unavailable: the next caller asks it, and waits until the turn expires.
          leave();
        }
      },
    };
  }
}
