import { HostPausedError } from '../../../errors/crawl-error.ts';
import { FetchAbortedError } from '../../../errors/fetch-error.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';

export interface PauseWaiting {
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  /** Called before a wait, with a message for a person. */
  readonly onWait?: (message: string) => void;
}

/** In total. A host that wants a longer pause is left alone until the next run. */
const MAX_WAIT_MS = 2 * 60_000;

/** A client that waits out the pauses that a host asks for, so that one refused document does not hide the documents after it. */
export function createPatientClient(http: HttpClient, { wait, signal, onWait }: PauseWaiting): HttpClient {
  let leftMs = MAX_WAIT_MS;
  return {
    async get(request) {
      for (;;) {
        try {
          return await http.get(request);
        } catch (error) {
          if (!(error instanceof HostPausedError) || error.retryAfterMs > leftMs) throw error;
          leftMs -= Math.max(error.retryAfterMs, 1);
          onWait?.(error.message);
          await wait(error.retryAfterMs, signal);
          if (signal.aborted) throw new FetchAbortedError(request.url, signal.reason);
        }
      }
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
