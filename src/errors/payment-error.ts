import { type Recovery, TidingsError } from './tidings-error.ts';

/** The payment provider could not be reached, or its answer is not valid. Nothing was sold and no key was made. */
export class PaymentError extends TidingsError {
  override readonly name = 'PaymentError';
  readonly recovery: Recovery;

  constructor(what: string, options: { readonly recovery?: Recovery; readonly cause?: unknown } = {}) {
    super(`The payment provider could not be asked: ${what}`, { cause: options.cause });
    this.recovery = options.recovery ?? 'retry-later';
  }
}
