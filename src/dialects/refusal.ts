import { FeedUnreadableError } from '../errors/feed-error.ts';
import type { HttpResponse } from '../fetch/http-client.ts';
import { retryAfterMs } from '../fetch/response-headers.ts';

/** The longest pause that a server can ask for. */
const LONGEST_PAUSE_MS = 24 * 3600_000;

/** The error for an unusable response, with the pause that it asks for. */
export async function refusal(
  response: HttpResponse,
  url: string,
  { now }: { readonly now: () => number },
  what = `answered with status ${response.status}.`,
): Promise<FeedUnreadableError> {
  await response.discard();
  const pauseMs = retryAfterMs(response.headers, now());
  return new FeedUnreadableError(url, what, {
    status: response.status,
    ...(pauseMs !== undefined && { retryAfterMs: Math.min(pauseMs, LONGEST_PAUSE_MS) }),
  });
}
