import { DeadlineError } from './fetch-error.ts';

const PAUSE_MS = 300_000;

/** A feed took its time and told nothing new. It is left alone for a while, so that it does not keep others waiting again. */
export class FeedDeadlineError extends DeadlineError {
  readonly retryAfterMs = PAUSE_MS;
}
