import { TidingsError } from './tidings-error.ts';

/** A reader was pointed at a place that holds no log. */
export class LogMissingError extends TidingsError {
  override readonly name = 'LogMissingError';
  readonly recovery = 'fix-input';
  readonly file: string;

  constructor(file: string) {
    super(`${file} holds no log. Name the folder that an earlier run has written.`);
    this.file = file;
  }
}
