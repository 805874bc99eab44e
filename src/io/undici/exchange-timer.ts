import { DeadlineError, FetchAbortedError, type FetchError } from '../../errors/fetch-error.ts';

export interface ExchangeTimerOptions {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The time that an exchange may still take. It runs only while we wait for the origin. */
export interface ExchangeTimer {
  readonly signal: AbortSignal;
  resume(): void;
  pause(): void;
  /** No more waiting; lets go of the caller's signal. */
  end(): void;
  /** Why the exchange was ended by us, or undefined when it was not. */
  explain(url: URL): FetchError | undefined;
}

export function startExchangeTimer({ deadlineMs, signal }: ExchangeTimerOptions): ExchangeTimer {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let leftMs = deadlineMs;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let expired = false;

  const pause = () => {
    clearTimeout(timer);
    if (since !== undefined) leftMs -= performance.now() - since;
    since = undefined;
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    pause,
    resume() {
      pause();
      since = performance.now();
      timer = setTimeout(
        () => {
          expired = true;
          controller.abort();
        },
        Math.max(0, leftMs),
      );
    },
    end() {
      pause();
      signal?.removeEventListener('abort', stop);
    },
    explain(url) {
      if (expired) return new DeadlineError(url, deadlineMs);
      return signal?.aborted ? new FetchAbortedError(url, signal.reason) : undefined;
    },
  };
}
