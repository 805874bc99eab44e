import { type Recovery, TidingsError } from './tidings-error.ts';

/** There is nothing to check: nobody answers, or what is there holds no feed or document. */
export class UnreadableTargetError extends TidingsError {
  override readonly name = 'UnreadableTargetError';
  readonly recovery: Recovery;
  readonly target: string;

  constructor(target: string, reason: string, recovery: Recovery, cause?: unknown) {
    const advice =
      recovery === 'retry-later'
        ? 'Try again later.'
        : 'Name a site, a folder or a file that holds what is to be checked.';
    super(`${target} cannot be checked: ${reason.replace(/\.$/, '')}. ${advice}`, { cause });
    this.target = target;
    this.recovery = recovery;
  }
}
