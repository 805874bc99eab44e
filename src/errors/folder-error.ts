import { TidingsError } from './tidings-error.ts';

/** A folder or file of Tidings cannot be read or written. */
export class FolderError extends TidingsError {
  override readonly name = 'FolderError';
  readonly recovery = 'fix-input';
  readonly path: string;

  constructor(path: string, what: string, cause?: unknown) {
    super(`${path}: ${what}`, { cause });
    this.path = path;
  }
}
