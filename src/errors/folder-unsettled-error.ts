import { TidingsError } from './tidings-error.ts';

/** A folder changes while it is read: what is there is half of something. Nothing was taken from it. */
export class FolderUnsettledError extends TidingsError {
  override readonly name = 'FolderUnsettledError';
  readonly recovery = 'retry-later';
  readonly path: string;

  constructor(path: string, waitedMs: number) {
    super(
      `${path} is being written: it did not come to rest within ${Math.round(waitedMs / 1000)} s. It is read again later; nothing was changed.`,
    );
    this.path = path;
  }
}
