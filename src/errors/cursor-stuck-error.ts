import { TidingsError } from './tidings-error.ts';

/** A run that changed something would have the cursor of the run before: its readers would not see it. Nothing of it is written. */
export class CursorStuckError extends TidingsError {
  override readonly name = 'CursorStuckError';
  readonly recovery = 'stop';
  readonly feed: string;
  readonly cursor: string;

  constructor(feed: string, cursor: string) {
    super(
      `The DiffDelta feed ${feed} changed, but its cursor would still be ${cursor}. Nothing was written. ` +
        'This should not be possible: please report it, with the log.',
    );
    this.feed = feed;
    this.cursor = cursor;
  }
}
