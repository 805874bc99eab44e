import { TidingsError } from './tidings-error.ts';

/** The disk has no room for a batch. What was stored before stays readable; the batch is not stored. */
export class LogFullError extends TidingsError {
  override readonly name = 'LogFullError';
  readonly recovery = 'retry-later';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(
      `No room to store the changes: the disk of ${file} is full. Nothing of this batch is stored. Free space, then run again.`,
      { cause },
    );
    this.file = file;
  }
}
