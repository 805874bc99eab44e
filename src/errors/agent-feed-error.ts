import { TidingsError } from './tidings-error.ts';

/** An origin's agent-feed or its identity could not be had whole. That says nothing of what was learned before. */
export class AgentFeedUnreadError extends TidingsError {
  override readonly name = 'AgentFeedUnreadError';
  readonly recovery = 'retry-later';
  readonly feedUrl: string;
  /** Asking sooner is of no use, or impolite. */
  readonly retryAfterMs?: number;

  constructor(feedUrl: string, reason: string, retryAfterMs?: number) {
    super(`${feedUrl} could not be read: ${reason.replace(/\.$/, '')}. Nothing is deleted for that.`);
    this.feedUrl = feedUrl;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/** An origin ended or moved its agent-feed: nothing of it counts until an operator says so, whatever it says itself. */
export class AgentFeedUntrustedError extends TidingsError {
  override readonly name = 'AgentFeedUntrustedError';
  readonly recovery = 'stop';
  readonly feedUrl: string;

  /** Nobody is asked before. */
  readonly retryAfterMs?: number;

  constructor(feedUrl: string, { status, migratedTo, remedy, retryAfterMs }: UntrustedFacts) {
    const what =
      status === 'migrated'
        ? `${feedUrl} moved${migratedTo === undefined ? '' : ` to ${migratedTo}`}, and is not followed there`
        : status === 'active'
          ? `${feedUrl} was ended by its origin and is active again`
          : `${feedUrl} was ended by its origin`;
    super(`${what}. Nothing that it says counts until an operator trusts it again (${remedy}).`);
    this.feedUrl = feedUrl;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

interface UntrustedFacts {
  /** As the feed says it now. */
  readonly status: string | undefined;
  readonly migratedTo?: string | undefined;
  /** What the operator can do. */
  readonly remedy: string;
  readonly retryAfterMs?: number | undefined;
}

/** A feed of a later version, or without what every feed has: it counts as terminated until another one is read. */
export class AgentFeedSuspendedError extends TidingsError {
  override readonly name = 'AgentFeedSuspendedError';
  readonly recovery = 'stop';
  readonly feedUrl: string;

  /** Nobody is asked before. */
  readonly retryAfterMs?: number;

  constructor(feedUrl: string, { reason, problem, retryAfterMs }: SuspendedFacts) {
    const later = problem === undefined ? '' : `The last look failed: ${problem.replace(/\.$/, '')}. `;
    super(
      `${feedUrl} is not used for now: ${reason.replace(/\.$/, '')}. ${later}` +
        'Nothing is deleted; ask its publisher, or look whether a newer Tidings reads it.',
    );
    this.feedUrl = feedUrl;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

interface SuspendedFacts {
  readonly reason: string;
  /** Why the last look did not tell whether that is still so. */
  readonly problem?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}
