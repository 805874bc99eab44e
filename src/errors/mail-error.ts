import { type Recovery, TidingsError } from './tidings-error.ts';

/** The mail server did not accept a mail. It is retried automatically. */
export class MailError extends TidingsError {
  override readonly name = 'MailError';
  readonly recovery: Recovery;

  constructor(
    server: string,
    reason: string,
    options: { readonly recovery?: Recovery; readonly cause?: unknown } = {},
  ) {
    super(`The mail server ${server} did not take a mail: ${reason}`, { cause: options.cause });
    this.recovery = options.recovery ?? 'retry-later';
  }
}
