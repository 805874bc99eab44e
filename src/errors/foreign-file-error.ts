import { TidingsError } from './tidings-error.ts';

/** The message for a foreign file that is found after the log has already grown. */
export const FOUND_LATE =
  'was not written by Tidings, and is not overwritten. What changed is in the log, and goes out once it is moved.';

/** A file of somebody else is where Tidings would write. It stays as it is. */
export class ForeignFileError extends TidingsError {
  override readonly name = 'ForeignFileError';
  readonly recovery = 'fix-input';
  readonly file: string;

  constructor(
    file: string,
    remedy: string,
    what = 'was not written by Tidings, and is not overwritten. Nothing was written.',
  ) {
    super(`${file} ${what} ${remedy}`);
    this.file = file;
  }
}
