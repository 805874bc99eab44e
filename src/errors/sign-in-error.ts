import { type Recovery, TidingsError } from './tidings-error.ts';

/** The team's identity provider could not sign somebody in. Nobody is signed in. */
export class SignInError extends TidingsError {
  override readonly name = 'SignInError';
  readonly recovery: Recovery;

  /** `what`: a sentence for the person, and what to do. It contains no code, token or secret. */
  constructor(what: string, options: { readonly recovery?: Recovery; readonly cause?: unknown } = {}) {
    super(what, { cause: options.cause });
    this.recovery = options.recovery ?? 'retry-later';
  }
}
