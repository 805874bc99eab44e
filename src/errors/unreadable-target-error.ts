import { type Recovery, TidingsError } from './tidings-error.ts';

/** There is nothing to check: the site does not answer, or the folder holds no feed. */
export class UnreadableTargetError extends TidingsError {
  override readonly name = 'UnreadableTargetError';
  readonly recovery: Recovery;
  readonly target: string;

  constructor(target: string, reason: string, recovery: Recovery, cause?: unknown) {
    const advice = recovery === 'retry-later' ? 'Try again later.' : 'Name a site or a folder with a published feed.';
    super(`${target} cannot be checked: ${reason.replace(/\.$/, '')}. ${advice}`, { cause });
    this.target = target;
    this.recovery = recovery;
  }
}
