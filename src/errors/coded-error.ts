import { type Recovery, TidingsError } from './tidings-error.ts';

interface Facts {
  readonly cause?: unknown;
  readonly [fact: string]: unknown;
}

/** An error that no code needs to distinguish from others: its permanent name is a code for people and reports; `recovery` decides what happens. */
export class CodedError extends TidingsError {
  override readonly name: string;
  readonly recovery: Recovery;

  constructor(name: string, recovery: Recovery, message: string, { cause, ...facts }: Facts = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.name = name;
    this.recovery = recovery;
    Object.assign(this, facts);
  }
}
