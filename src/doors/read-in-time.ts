import type { LivePageRequest, LivePages } from '../crawl/live-page.ts';
import { DeadlineError, FetchAbortedError } from '../errors/fetch-error.ts';
import { COOLDOWN_MS } from '../fetch/polite-client.ts';

/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * The deadline of an exchange does not cover robots.txt and the wait for a turn. This one covers everything, plus the one pause that a fetch just before may
 * have caused.
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
