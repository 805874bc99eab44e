import { TidingsError } from './tidings-error.ts';

/** A file of somebody else stands where ours would be written. Nothing was written. */
export class ForeignFileError extends TidingsError {
  override readonly name = 'ForeignFileError';
  readonly recovery = 'fix-input';
  readonly file: string;

  constructor(file: string, remedy: string) {
    super(`${file} was not written by Tidings, and is not overwritten. Nothing was written. ${remedy}`);
    this.file = file;
  }
}
