import { TidingsError } from './tidings-error.ts';

/** A draft that the log refuses. Nothing of its batch is stored. */
export class InvalidChangeError extends TidingsError {
  override readonly name = 'InvalidChangeError';
  readonly recovery = 'fix-input';
  /** Position of the draft in its batch, from 0. */
  readonly index: number;
  readonly field: string;

  constructor(index: number, field: string, problem: string) {
    super(`Change ${index} of the batch: ${field} ${problem}. Nothing of the batch is stored.`);
    this.index = index;
    this.field = field;
  }
}
