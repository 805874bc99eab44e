import { HostPausedError } from './crawl-error.ts';
import { type Recovery, TidingsError } from './tidings-error.ts';

/** There is nothing to check: the target does not answer, or holds no feed or document. */
export class UnreadableTargetError extends TidingsError {
  override readonly name = 'UnreadableTargetError';
  readonly recovery: Recovery;
  readonly target: string;
  readonly reason: string;

  constructor(target: string, reason: string, recovery: Recovery, cause?: unknown) {
    // A message that names the time is more helpful.
    const advice = cause instanceof HostPausedError ? '' : ADVICE[recovery];
    super(`${target} cannot be checked: ${reason.replace(/\.$/, '')}.${advice}`, { cause });
    this.target = target;
    this.reason = reason;
    this.recovery = recovery;
  }
}

/** A reason that concerns a setting names the setting itself. */
const ADVICE: Readonly<Record<Recovery, string>> = {
  'retry-later': ' Try again later.',
  'fix-input': ' Name a site, a folder or a file that holds what is to be checked.',
  'fix-config': '',
  stop: '',
};
