import { FetchAbortedError } from '../errors/fetch-error.ts';

/** Waits for a result that others may also wait for. Aborting this wait throws a {@link FetchAbortedError} and does not affect the others. */
export async function abortable<T>(asking: Promise<T>, url: URL, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new FetchAbortedError(url, signal.reason));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([asking, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
