import { TidingsError } from './tidings-error.ts';

/** Another process, or another handle of this one, writes to the same folder. */
export class LogLockedError extends TidingsError {
  override readonly name = 'LogLockedError';
  readonly recovery = 'retry-later';
  readonly folder: string;

  constructor(folder: string, purpose: string) {
    super(
      `Cannot ${purpose}: ${folder} is in use by another Tidings writer. Wait until it ends, or name another folder. ` +
        'The lock ends with its process; no file needs to be removed by hand.',
    );
    this.folder = folder;
  }
}
