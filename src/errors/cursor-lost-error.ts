import { TidingsError } from './tidings-error.ts';

/** A log does not reach back to a reader's cursor: changes may be missing in between. */
export class CursorLostError extends TidingsError {
  override readonly name = 'CursorLostError';
  readonly recovery = 'fix-input';
  readonly cursor: string;

  constructor(cursor: string, detail?: string) {
    super(
      detail ??
        `The log has no change ${cursor}: it is older than the log, of another hub, or newer than a backup that was restored. Read from the start again.`,
    );
    this.cursor = cursor;
  }
}
