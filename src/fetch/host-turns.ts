import { HostPausedError } from '../errors/crawl-error.ts';
import { FetchAbortedError } from '../errors/fetch-error.ts';
import { abortable } from './abortable.ts';
import { type HostMemory, turnStart } from './host-memory.ts';

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

/**
 * One fetch at a time per host, whatever its scheme and port, each a pause behind the end of the one before (T-AWI-18).
 * The memory keeps the pause over restarts and between processes.
 */
export function createHostTurns({ memory, now, wait }: HostTurnsOptions): HostTurns {
  const lines = new Map<string, Promise<void>>();

  /** Resolves when all who came before have left; `leave` lets the next one in. */
  const lineUp = (hostname: string): { readonly turn: Promise<void>; readonly leave: () => void } => {
    const turn = lines.get(hostname) ?? Promise.resolve();
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const end = turn.then(() => left);
    lines.set(hostname, end);
    void end.then(() => lines.get(hostname) === end && lines.delete(hostname));
    return { turn, leave };
  };

  const waitUntil = async (moment: number, url: URL, signal: AbortSignal): Promise<void> => {
    while (now() < moment && !signal.aborted) await wait(moment - now(), signal);
    if (signal.aborted) throw new FetchAbortedError(url, signal.reason);
  };

  const waitForTurn = async (url: URL, { gapMs, maxWaitMs, signal }: TurnRequest): Promise<void> => {
    const nowMs = now();
    const pausedUntil = await memory.until('pause', url.host);
    const next = Math.max(pausedUntil, turnStart(await memory.until('turn', url.hostname), nowMs));
    if (next - nowMs > maxWaitMs) throw new HostPausedError(url, next - nowMs);
    await waitUntil(pausedUntil, url, signal);
    await waitUntil(await memory.takeTurn(url.hostname, { nowMs: now(), gapMs }), url, signal);
  };

  return {
    async take(url, request) {
      const { turn, leave } = lineUp(url.hostname);
      try {
        await abortable(turn, url, request.signal);
        await waitForTurn(url, request);
      } catch (error) {
        leave();
        throw error;
      }
      return {
        async end() {
          await memory.extend('turn', url.hostname, now() + request.gapMs);
          leave();
        },
      };
    },
  };
}
