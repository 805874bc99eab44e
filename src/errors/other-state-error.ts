import { TidingsError } from './tidings-error.ts';

/** A feed tells of a collection that the state knows nothing of: all would be told in it once more. */
export class OtherStateError extends TidingsError {
  override readonly name = 'OtherStateError';
  readonly recovery = 'fix-input';
  readonly file: string;

  constructor(file: string) {
    const remedy = 'Give that one with --state, move the feeds away, or go on with --from-now.';
    super(`${file} was made with another state. Nothing was added to it. ${remedy}`);
    this.file = file;
  }
}
