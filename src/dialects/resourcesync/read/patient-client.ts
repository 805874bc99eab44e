import { HostPausedError } from '../../../errors/crawl-error.ts';
import { FetchAbortedError } from '../../../errors/fetch-error.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';

export interface PauseWaiting {
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  /** Called before a wait, with what a person should know. */
  readonly onWait?: (message: string) => void;
}

/** In all. A host that wants more is left in peace until the next time. */
const MAX_WAIT_MS = 2 * 60_000;

/** A client that waits out the pauses which a host asks for, so that one document that is refused does not hide those behind it. */
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
