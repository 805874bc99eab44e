import type { LivePages } from '../../crawl/live-page.ts';
import { FeedUnreadableError } from '../../errors/feed-error.ts';
import type { HttpClient, HttpResponse } from '../../fetch/http-client.ts';
import { retryAfterMs } from '../../fetch/response-headers.ts';
import type { FollowState } from '../follow-state.ts';
import type { Diagnostic } from '../followed-event.ts';

/** Feeds are read as a stream, so that this costs time and no memory. */
export const MAX_FEED_BYTES = 1024 * 1024 * 1024;
/** Who asks for more is asked again after this. */
const LONGEST_PAUSE_MS = 24 * 3600_000;

/** What every part of a poll needs. */
export interface Reading {
  /** For discovery and feeds. */
  readonly http: HttpClient;
  /** For the pages that events name. */
  readonly pages: LivePages;
  readonly state: FollowState;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** When each feed of a service may be asked again, over several polls: none is asked more often than it says (DD-G4). */
  readonly dueAt?: Map<string, number>;
  readonly report: (diagnostic: Diagnostic) => void;
}

export function warn(reading: Reading, code: string, message: string): void {
  reading.report({ level: 'warn', code, message });
}

/** The error for an answer that is no use, with the pause that it asks for. */
export async function refusal(response: HttpResponse, url: string, reading: Reading): Promise<FeedUnreadableError> {
  await response.discard();
  const pauseMs = retryAfterMs(response.headers, reading.now());
  return new FeedUnreadableError(url, `answered with status ${response.status}.`, {
    status: response.status,
    ...(pauseMs !== undefined && { retryAfterMs: Math.min(pauseMs, LONGEST_PAUSE_MS) }),
  });
}
