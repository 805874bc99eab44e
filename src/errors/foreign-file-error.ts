import { TidingsError } from './tidings-error.ts';

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
