import { HostPausedError } from './crawl-error.ts';
import { type Recovery, TidingsError } from './tidings-error.ts';

/** There is nothing to check: nobody answers, or what is there holds no feed or document. */
export class UnreadableTargetError extends TidingsError {
  override readonly name = 'UnreadableTargetError';
  readonly recovery: Recovery;
  readonly target: string;
  readonly reason: string;

  constructor(target: string, reason: string, recovery: Recovery, cause?: unknown) {
    // One that names the time says it better.
    const advice = cause instanceof HostPausedError ? '' : ADVICE[recovery];
    super(`${target} cannot be checked: ${reason.replace(/\.$/, '')}.${advice}`, { cause });
    this.target = target;
    this.reason = reason;
    this.recovery = recovery;
  }
}

/** A reason that has to do with a setting names the setting. */
const ADVICE: Readonly<Record<Recovery, string>> = {
  'retry-later': ' Try again later.',
  'fix-input': ' Name a site, a folder or a file that holds what is to be checked.',
  'fix-config': '',
  stop: '',
};
