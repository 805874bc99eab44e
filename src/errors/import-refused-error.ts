import { TidingsError } from './tidings-error.ts';

/** A list of sources that cannot be read as a whole. Nothing of it was taken. */
export class ImportRefusedError extends TidingsError {
  override readonly name = 'ImportRefusedError';
  readonly recovery = 'fix-input';
  readonly file: string;

  constructor(file: string, reason: string) {
    super(`${file}: ${reason} Nothing was added.`);
    this.file = file;
  }
}
