import { type Recovery, TidingsError } from './tidings-error.ts';

/** A description of an API that cannot be read. Nothing is concluded from it, least of all that something changed. */
export class DescriptionError extends TidingsError {
  override readonly name = 'DescriptionError';
  readonly recovery: Recovery;
  /** The file or the URL. */
  readonly where: string;

  constructor(where: string, reason: string, recovery: Recovery = 'fix-input') {
    super(`${where} could not be compared: ${reason}.`);
    this.where = where;
    this.recovery = recovery;
  }
}

/** Two descriptions do not give one delta. Nothing was drafted. */
export class MigrationError extends TidingsError {
  override readonly name = 'MigrationError';
  readonly recovery: Recovery;
  /** Operations that could be meant. */
  readonly choices: readonly string[];

  constructor(reason: string, choices: readonly string[] = [], recovery: Recovery = 'fix-input') {
    super(choices.length === 0 ? reason : `${reason} Name one of: ${choices.join(', ')}.`);
    this.choices = choices;
    this.recovery = recovery;
  }
}
