import { FetchAbortedError } from '../errors/fetch-error.ts';

/** What others may wait for too: one who stops waiting, which is a {@link FetchAbortedError}, does not take it from them. */
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
