import { type Recovery, TidingsError } from './tidings-error.ts';

/** Somebody could not be signed in by the provider of the team. Nobody is. */
export class SignInError extends TidingsError {
  override readonly name = 'SignInError';
  readonly recovery: Recovery;

  /** `what`: a sentence for the person, and what to do. It holds no code, no token and no secret. */
  constructor(what: string, options: { readonly recovery?: Recovery; readonly cause?: unknown } = {}) {
    super(what, { cause: options.cause });
    this.recovery = options.recovery ?? 'retry-later';
  }
}
