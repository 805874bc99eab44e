import type { ReaderParts } from './reader-parts.ts';
import type { FeedMemory } from './reader-state.ts';
import type { Telling } from './tell-events.ts';

/** One poll of one feed, while it runs. */
export interface Visit extends ReaderParts {
  readonly feedUrl: URL;
  /** When the poll began. */
  readonly nowMs: number;
  /** What was known before the poll. */
  readonly memory: FeedMemory;
  readonly telling: Telling;
  /** An operator asked for the poll. */
  readonly isAsked?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Why a poll ends without a judgement of the feed. What was known stays unchanged. */
export interface Stopped {
  readonly is: 'stopped';
  readonly problem: string;
  readonly pausedUntilMs?: number | undefined;
  /** Nothing was sent. */
  readonly isUnasked?: boolean | undefined;
}

export function tellPause({ telling, feedUrl }: Visit, pausedUntilMs: number | undefined): void {
  if (pausedUntilMs === undefined) return;
  telling.tell({ event: 'rate-limited', origin: feedUrl.origin, retryAt: new Date(pausedUntilMs).toISOString() });
}
