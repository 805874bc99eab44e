import type { LivePageRequest, LivePages } from '../crawl/live-page.ts';
import { DeadlineError, FetchAbortedError } from '../errors/fetch-error.ts';
import { COOLDOWN_MS } from '../fetch/polite-client.ts';

/** What a timer can count. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * The deadline of an exchange leaves out robots.txt and the wait for a turn. Here all of it ends, with room for the one
 * pause that a fetch just before this one may have left behind.
 */
export async function readInTime(
  pages: LivePages,
  request: LivePageRequest,
  timeoutMs: number,
): ReturnType<LivePages['read']> {
  const timer = AbortSignal.timeout(Math.min(timeoutMs + COOLDOWN_MS, LONGEST_MS));
  const signal = AbortSignal.any([timer, ...(request.signal === undefined ? [] : [request.signal])]);
  try {
    return await pages.read({ ...request, signal });
  } catch (error) {
    if (error instanceof FetchAbortedError && timer.aborted) throw new DeadlineError(request.url, timeoutMs);
    throw error;
  }
}
