import { HostPausedError } from '../errors/crawl-error.ts';
import { FetchAbortedError } from '../errors/fetch-error.ts';
import { abortable } from './abortable.ts';
import type { HostMemory } from './host-memory.ts';

export interface HostTurnsOptions {
  readonly memory: HostMemory;
  readonly now: () => number;
  /** Resolves after so long, or at once when the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface TurnRequest {
  /** The pause that this fetch leaves behind it. */
  readonly gapMs: number;
  /** A longer wait is a {@link HostPausedError}, and then no turn is taken. */
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
}

/** The right to ask a host, until it is given back. */
export interface Turn {
  /** The fetch is over: the pause runs from here. More than once does nothing. */
  end(): Promise<void>;
}

export interface HostTurns {
  take(url: URL, request: TurnRequest): Promise<Turn>;
}

/** A turn that is not given back by then is free again. */
const LEASE_MS = 30_000;
/** While somebody else has the turn, it is asked for again this often. */
const LOOK_AGAIN_MS = 100;

/**
 * One fetch at a time per host, whatever its scheme and port, each a pause behind the end of the one before (T-AWI-18).
 * The memory decides, so that this holds for all who share one: other calls, other processes, the next run.
 */
export function createHostTurns({ memory, now, wait }: HostTurnsOptions): HostTurns {
  const waitUntil = async (moment: number, url: URL, signal: AbortSignal): Promise<void> => {
    while (now() < moment && !signal.aborted) await wait(moment - now(), signal);
    if (signal.aborted) throw new FetchAbortedError(url, signal.reason);
  };

  /** When to come again; 0 when the turn is ours. */
  const claim = async (url: URL): Promise<number> => {
    const nowMs = now();
    const pausedUntil = await memory.until('pause', url.host);
    if (pausedUntil > nowMs) return pausedUntil;
    const { busyUntilMs, turnAtMs } = await memory.claimTurn(url.hostname, { nowMs, busyUntilMs: nowMs + LEASE_MS });
    return busyUntilMs > 0 ? nowMs + LOOK_AGAIN_MS : turnAtMs;
  };

  /** Where to wait for those of this process who came before; `leave` lets the next one in. */
  const lines = new Map<string, Promise<void>>();
  const lineUp = (hostname: string): { readonly first: Promise<void>; readonly leave: () => void } => {
    const first = lines.get(hostname) ?? Promise.resolve();
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const end = first.then(() => left);
    lines.set(hostname, end);
    void end.then(() => lines.get(hostname) === end && lines.delete(hostname));
    return { first, leave };
  };

  const waitForTurn = async (url: URL, { maxWaitMs, signal }: TurnRequest): Promise<void> => {
    const giveUpAt = now() + maxWaitMs;
    for (let next = await claim(url); next > 0; next = await claim(url)) {
      if (next > giveUpAt) throw new HostPausedError(url, next - now());
      await waitUntil(next, url, signal);
    }
  };

  return {
    async take(url, request) {
      const { first, leave } = lineUp(url.hostname);
      try {
        await abortable(first, url, request.signal);
        await waitForTurn(url, request);
      } catch (error) {
        leave();
        throw error;
      }
      let isOurs = true;
      return {
        async end() {
          if (isOurs) await memory.endTurn(url.hostname, now() + request.gapMs);
          isOurs = false;
          leave();
        },
      };
    },
  };
}
