import { TidingsError } from './tidings-error.ts';

/** What is to be said of one that is found when the log has grown already. */
export const FOUND_LATE =
  'was not written by Tidings, and is not overwritten. What changed is in the log, and goes out once it is moved.';

/** A file of somebody else stands where ours would be written. It stays as it is. */
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
