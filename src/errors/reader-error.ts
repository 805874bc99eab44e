import { TidingsError } from './tidings-error.ts';

/** Another reader, in this process or another one, uses the same state file. */
export class ReaderLockedError extends TidingsError {
  override readonly name = 'ReaderLockedError';
  readonly recovery = 'retry-later';
  readonly file: string;

  constructor(file: string) {
    super(
      `${file} is in use by another reader. Wait until it ends, or name another --state. ` +
        'The lock ends with its process; no file needs to be removed by hand.',
    );
    this.file = file;
  }
}
